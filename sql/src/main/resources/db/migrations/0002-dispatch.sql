--liquibase formatted sql

--changeset hooktally:0002-lease
create table lease (
    name       text primary key,
    holder     text        not null,
    -- rises by one at every acquisition: a write that carries an older number is refused
    fence      bigint      not null,
    expires_at timestamptz not null
);
comment on table lease is 'Who works on what, until when (database time), with the fencing number that makes it safe.';

--changeset hooktally:0002-consumer
create table consumer (
    name          text        not null,
    source        text        not null,
    -- anchored POSIX regular expression over topics; null takes every topic
    topic_pattern text,
    created_at    timestamptz not null default clock_timestamp(),
    primary key (name, source)
);
comment on table consumer is 'Who receives events from the dispatcher; the inbox writes one dispatch row for each whose topics match.';

--changeset hooktally:0002-dispatch
create table dispatch (
    id              bigint generated always as identity primary key,
    consumer        text             not null,
    source          text             not null,
    event_id        text collate "C" not null,
    replay_id       bigint           not null default 0,
    conflict_id     bigint           not null default 0,
    lane            text             not null default 'live',
    received_at     timestamptz      not null,
    entity_type     text,
    -- the ordering key; null until the body has been read
    key             text collate "C",
    attempts        int              not null default 0,
    -- not before this time (by the service's clock); null: at once
    due_at          timestamptz,
    -- the source may lag behind its own webhooks: read once more, meanwhile the key is free
    waiting_for_lag boolean          not null default false,
    -- the claim: a number from dispatch_claim, and until when (database time) it holds
    claim           bigint,
    claimed_by      text,
    claimed_until   timestamptz,
    last_error      text,
    unique (consumer, source, event_id, replay_id, conflict_id)
);
comment on table dispatch is 'One row per (consumer, event, replay or conflict) still to be handed over.';
create index dispatch_unkeyed on dispatch (consumer, source, lane, id) where key is null;
create index dispatch_key on dispatch (consumer, source, key, id) where key is not null;
create sequence dispatch_claim;

--changeset hooktally:0002-dispatch-count
create table dispatch_count (
    consumer   text   not null,
    source     text   not null,
    instance   text   not null,
    dispatched bigint not null default 0,
    done       bigint not null default 0,
    discarded  bigint not null default 0,
    primary key (consumer, source, instance)
);
comment on table dispatch_count is 'dispatched = done + pending + held + parked + discarded: the totals of the sum, each kept in the transaction it counts.';

--changeset hooktally:0002-parked
create table parked (
    id          bigint generated always as identity primary key,
    consumer    text             not null,
    source      text             not null,
    event_id    text collate "C" not null,
    replay_id   bigint           not null default 0,
    conflict_id bigint           not null default 0,
    lane        text             not null,
    received_at timestamptz      not null,
    entity_type text,
    key         text collate "C",
    kind        text             not null check (kind in ('poison', 'invalid')),
    attempts    int              not null,
    error       text             not null,
    parked_at   timestamptz      not null default clock_timestamp(),
    unique (consumer, source, event_id, replay_id, conflict_id)
);
comment on table parked is 'Events taken out of the way after their last attempt (poison) or because they cannot be read (invalid); kept until a person decides.';
create index parked_key on parked (consumer, source, key);
