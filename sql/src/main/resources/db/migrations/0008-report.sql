--liquibase formatted sql

--changeset hooktally:0008-disagreement
alter table disagreement
    -- how the change was lost, as far as it is known, and the sentence that says so
    add column lost        text check (lost in ('no_delivery', 'pending', 'parked', 'held', 'changed_here',
                                                'applied_older')),
    add column lost_note   text,
    -- only fields differ that may change without an event: counted apart, no alert
    add column unannounced boolean not null default false,
    -- [{"field", "by_field", "grp", "value"}]: what either side's state adds to the sums
    add column ours_sums   jsonb,
    add column theirs_sums jsonb;

--changeset hooktally:0008-run-sum
create table run_sum (
    run_id   bigint  not null references reconcile_run (id) on delete cascade,
    -- the pointer of what is summed, the pointer it is grouped by (blank: not grouped), the group
    field    text    not null,
    by_field text    not null,
    grp      text    not null,
    -- rows of the window on which both sides agree
    base     numeric not null default 0,
    -- with the suspects: the source, the replica before the fixes, and after them
    theirs   numeric not null default 0,
    before   numeric not null default 0,
    after    numeric not null default 0,
    primary key (run_id, field, by_field, grp)
);
comment on table run_sum is 'The sums of a run on both sides. base is summed while listing, the rest from the rows of disagreement at the end.';

--changeset hooktally:0008-not-covered
alter table reconcile_run
    -- what the run did not look at, in sentences, by the configuration it ran with
    add column not_covered text[] not null default '{}';
