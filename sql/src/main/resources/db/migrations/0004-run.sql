--liquibase formatted sql

--changeset hooktally:0004-run
create table reconcile_run (
    id            bigint generated always as identity primary key,
    source        text        not null,
    entity_type   text        not null,
    reason        text        not null check (reason in ('scheduled', 'manual', 'backfill')),
    mode          text        not null check (mode in ('fix', 'report')),
    state         text        not null default 'running'
                              check (state in ('running', 'done', 'failed', 'superseded')),
    holder        text        not null,
    fence         bigint      not null,
    -- the calendar day, in the configured zone, that a scheduled run is for
    scheduled_for date,
    window_from   timestamptz,
    window_to     timestamptz,
    started_at    timestamptz not null default clock_timestamp(),
    ended_at      timestamptz,
    -- entities the source listed in the window
    listed        bigint      not null default 0,
    -- the fields the report vouches for, and the pointers it did not look at
    covered       text[]      not null default '{}',
    ignored       text[]      not null default '{}',
    error         text
);
comment on table reconcile_run is 'One reconciliation or backfill of one (source, entity type, window). Its counts are counted from the rows of disagreement.';
create index reconcile_run_newest on reconcile_run (source, entity_type, id);

--changeset hooktally:0004-disagreement
create table disagreement (
    run_id          bigint           not null references reconcile_run (id) on delete cascade,
    source          text             not null,
    entity_type     text             not null,
    entity_id       text collate "C" not null,
    -- what the listing looked like; kind is what confirmation found
    suspected       text             not null,
    kind            text check (kind in ('missing', 'stale', 'different', 'extra', 'ahead')),
    state           text             not null default 'suspect'
                                     check (state in ('suspect', 'confirmed', 'fixed', 'held_back', 'left',
                                                      'failed', 'dissolved', 'moved_on')),
    -- read where no event was ever to come: no disagreement
    loaded          boolean          not null default false,
    -- not ended by a fix in an earlier run and checked again in this one; counted apart
    earlier         boolean          not null default false,
    -- still differed after its fix
    residual        boolean          not null default false,
    -- not ended by a fix: checked again by id in every later run
    open            boolean          not null default false,
    -- times in full precision, as ISO instants
    listed_modified text,
    ours_modified   text,
    read_modified   text,
    -- the read that confirmed it, and with it the fix; body null: the source said 404 or 410
    read_number     bigint,
    read_epoch      int,
    read_known      boolean,
    known_modified  text,
    read_body       bytea,
    -- [{"pointer", "ours", "theirs"}], shortened
    differences     jsonb            not null default '[]',
    note            text,
    primary key (run_id, entity_id)
);
comment on table disagreement is 'The suspects of a run and what became of them.';
create index disagreement_open on disagreement (source, entity_type, entity_id) where open;

--changeset hooktally:0004-run-listed
-- Unlogged: of use only while its run lives, and after a crash of the server no run lives.
create unlogged table run_listed (
    run_id    bigint           not null,
    entity_id text collate "C" not null,
    primary key (run_id, entity_id)
);
comment on table run_listed is 'Ids a running run has seen listed, so that its memory does not grow; emptied when it ends.';

--changeset hooktally:0004-watermark
create table watermark (
    source      text        not null,
    entity_type text        not null,
    at          timestamptz not null,
    run_id      bigint      not null,
    moved_at    timestamptz not null default clock_timestamp(),
    primary key (source, entity_type)
);
comment on table watermark is 'Up to where a completed run vouches for the replica, in the source''s time: the next scheduled window starts here.';

--changeset hooktally:0004-schedule
create table schedule (
    source      text        not null,
    entity_type text        not null,
    since       timestamptz not null,
    primary key (source, entity_type)
);
comment on table schedule is 'Since when runs are scheduled: what was due before was not missed.';
