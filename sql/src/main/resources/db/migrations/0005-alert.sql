--liquibase formatted sql

--changeset hooktally:0005-alert
create table alert (
    id              bigint generated always as identity primary key,
    kind            text        not null check (kind in ('disagreements', 'held_back', 'failed',
                                                      'source_unreachable')),
    source          text        not null,
    entity_type     text        not null,
    run_id          bigint,
    text            text        not null,
    state           text        not null default 'pending' check (state in ('pending', 'sent')),
    attempts        int         not null default 0,
    created_at      timestamptz not null default clock_timestamp(),
    -- not before this time, by the service's clock; null: at once
    next_attempt_at timestamptz,
    last_error      text,
    sent_at         timestamptz
);
comment on table alert is 'The outbox of alerts: written in the transaction that found the reason, sent until it arrives.';
create index alert_pending on alert (next_attempt_at nulls first, id) where state = 'pending';
