--liquibase formatted sql

--changeset hooktally:0007-run
alter table reconcile_run drop constraint reconcile_run_reason_check;
alter table reconcile_run add constraint reconcile_run_reason_check
    check (reason in ('scheduled', 'manual', 'backfill', 'sweep'));
alter table reconcile_run drop constraint reconcile_run_state_check;
alter table reconcile_run add constraint reconcile_run_state_check
    check (state in ('running', 'done', 'failed', 'superseded', 'cancelled'));
alter table reconcile_run
    -- a person asked it to end; its process looks once a second
    add column cancel_asked_at timestamptz,
    add column cancel_asked_by text,
    -- it ended with its process, not by an error of its own: the schedule takes it up again
    add column stopped         boolean     not null default false,
    -- how often it was taken up again under its number
    add column resumed         int         not null default 0,
    -- what is ahead of the source is brought back to the source's state
    add column trust_source    boolean     not null default false,
    -- it did not complete, and keeps the reads of its confirmed suspects for a resumption
    add column reads_kept      boolean     not null default false,
    -- progress, written with the batches
    add column phase           text,
    add column phase_at        timestamptz,
    add column progress_at     timestamptz,
    add column pages           bigint      not null default 0,
    -- the modified (or created) time of the last row listed: it falls from the end to the start
    add column reached         timestamptz,
    add column requests        bigint      not null default 0,
    add column bytes           bigint      not null default 0,
    add column throttled_ms    bigint      not null default 0,
    -- a run in slices, newest first: from here on it is done
    add column sliced_to       timestamptz;
create index reconcile_run_reads_kept on reconcile_run (source, entity_type) where reads_kept;

--changeset hooktally:0007-disagreement
alter table disagreement
    -- open already when this run began: nobody is told of it again
    add column known           boolean     not null default false,
    -- a person takes it as it is: not checked again, and not fixed while it stays the same
    add column accepted_at     timestamptz,
    add column accepted_by     text,
    add column accepted_reason text,
    -- a person lets it be fixed although it was held back
    add column approved_at     timestamptz,
    add column approved_by     text;
create index disagreement_accepted on disagreement (source, entity_type, entity_id)
    where accepted_at is not null;

--changeset hooktally:0007-watermark
alter table watermark alter column run_id drop not null;
comment on column watermark.run_id is 'The run that moved it; null: a person set it.';
create table watermark_change (
    id          bigint generated always as identity primary key,
    source      text        not null,
    entity_type text        not null,
    changed_at  timestamptz not null default clock_timestamp(),
    changed_by  text        not null,
    -- null: there was none
    was         timestamptz,
    now         timestamptz not null
);
comment on table watermark_change is 'Watermarks that people set, and what they were before.';

--changeset hooktally:0007-alert
alter table alert drop constraint alert_kind_check;
alter table alert add constraint alert_kind_check
    check (kind in ('disagreements', 'held_back', 'failed', 'solved', 'source_unreachable'));
