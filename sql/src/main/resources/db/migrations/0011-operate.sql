--liquibase formatted sql

--changeset hooktally:0011-consumer
alter table consumer
    -- later events of a key wait while one of it is parked
    add column hold_key     boolean not null default true,
    -- while set, nothing is handed over to it, by any instance
    add column paused_at    timestamptz,
    add column paused_by    text,
    add column pause_reason text;
update consumer set hold_key = false where name = 'replica';

--changeset hooktally:0011-parked
alter table parked
    -- its row in dispatch, whose number it gets again when it is retried, and with it its place in
    -- the order of its key; null: parked before this was written down
    add column dispatch_id bigint;
create index parked_order on parked (consumer, source, key, lane, dispatch_id);
drop index parked_key;

--changeset hooktally:0011-dispatch
-- What can be claimed, in the order in which it is: what is replayed comes last.
create index dispatch_ready on dispatch (consumer, source, (lane = 'replay'), id)
    where key is not null;

--changeset hooktally:0011-replay
create sequence replay_number;
comment on sequence replay_number is 'Numbers of replays, from 1 on: dispatch.replay_id.';
-- A few blocks, and no work for a delivery: rows stand in the order in which they came.
create index processed_event_received on processed_event using brin (first_received_at)
    with (pages_per_range = 32, autosummarize = on);

--changeset hooktally:0011-audit
create table audit (
    id      bigint generated always as identity primary key,
    at      timestamptz not null default clock_timestamp(),
    who     text        not null,
    -- retry, discard, pause, resume, replay
    action  text        not null,
    -- what it was done to, such as 'parked 17' or 'replica of shop'
    subject text        not null,
    detail  jsonb       not null
);
comment on table audit is 'What people did to events and consumers: one row each, in the transaction that did it, never changed.';
