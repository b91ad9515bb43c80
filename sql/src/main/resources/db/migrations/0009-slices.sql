--liquibase formatted sql

--changeset hooktally:0009-lease
-- Until then somebody waits for it: who can give it back for a while does.
alter table lease add column wanted_until timestamptz;

--changeset hooktally:0009-run
alter table reconcile_run
    -- a run in slices gave its lease back between two of them, and lives at least until then
    add column waits_until   timestamptz,
    -- of the slices that are done: rows listed, rows of the replica, whether they were loaded
    add column sliced_listed bigint  not null default 0,
    add column sliced_held   bigint  not null default 0,
    add column sliced_loads  boolean not null default false;

--changeset hooktally:0009-disagreement
-- It belongs to a slice that is done: a resumption leaves it as it is.
alter table disagreement add column sliced boolean not null default false;
