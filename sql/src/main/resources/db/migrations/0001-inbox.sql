--liquibase formatted sql

--changeset hooktally:0001-inbox
create table processed_event (
  seq               bigint generated always as identity,
  first_received_at timestamptz not null,
  last_received_at  timestamptz not null,
  deliveries        bigint      not null default 1,
  conflicts         integer     not null default 0,
  source            text        not null,
  event_id          text collate "C" not null,
  topic             text,
  body_sha256       bytea       not null,
  primary key (source, event_id)
) with (fillfactor = 90);

comment on table processed_event is
  'The ledger of ids: one row per (source, event id), kept for ever.';
comment on column processed_event.seq is
  'For display and reference. Has gaps and is not the order of commits: never a cursor.';
comment on column processed_event.deliveries is
  'All deliveries of this id that were answered 2xx, the first and conflicting ones included.';
comment on column processed_event.conflicts is
  'Deliveries of this id whose body was not the first one''s, repeated ones included.';

-- The payload is found through its ledger row, by seq: a text key would be a second big index on
-- the hot path. received_at is the ledger row's first_received_at and chooses the partition.
create table event_payload (
  event_seq   bigint      not null,
  received_at timestamptz not null,
  headers     jsonb       not null,
  body        bytea       not null,
  primary key (event_seq, received_at)
) partition by range (received_at);

comment on table event_payload is
  'The raw bytes as they came and the headers kept with them. One partition per month (UTC) of receipt.';

-- Takes what no month's partition takes, so that an insert never fails for want of one.
create table event_payload_default partition of event_payload default;

create table conflict (
  id               bigint generated always as identity primary key,
  received_at      timestamptz not null,
  last_received_at timestamptz not null,
  deliveries       bigint      not null default 1,
  source           text        not null,
  event_id         text collate "C" not null,
  topic            text,
  body_sha256      bytea       not null,
  headers          jsonb       not null,
  body             bytea       not null,
  unique (source, event_id, body_sha256)
);

comment on table conflict is
  'Other bodies that came under an event id we have: up to 10 per id, further ones are only counted.';

--rollback drop table conflict;
--rollback drop table event_payload;
--rollback drop table processed_event;
