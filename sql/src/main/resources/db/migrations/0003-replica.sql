--liquibase formatted sql

--changeset hooktally:0003-entity
create table entity (
    source          text             not null,
    entity_type     text             not null,
    entity_id       text collate "C" not null,
    -- the version is (epoch, modified time, read number); the modified time in full precision
    epoch           int              not null,
    modified_second bigint,
    modified_nano   int,
    read_number     bigint           not null,
    -- the ledger's sequence of the event that settled a tie where the source has no API
    ledger_seq      bigint,
    unsettled       boolean          not null default false,
    deleted         boolean          not null,
    body            jsonb,
    body_hash       bytea,
    -- characters or numbers that jsonb refuses were replaced in body; body_hash is the original's
    altered         boolean          not null default false,
    -- rounded by the database to microseconds: for reading, never for deciding
    modified_at     timestamptz,
    lane            text             not null,
    event_id        text collate "C",
    changed_at      timestamptz      not null,
    primary key (source, entity_type, entity_id),
    check ((modified_second is null) = (modified_nano is null)),
    check (deleted or (body is not null and body_hash is not null))
);
comment on table entity is 'The replica: our copy of the source''s entities. Written by apply alone.';
create index entity_modified on entity (source, entity_type, modified_second, modified_nano, entity_id) where not deleted;

--changeset hooktally:0003-read-number
create sequence read_number;
comment on sequence read_number is 'Drawn before an API request is sent: of two reads the later-started one has the higher number.';
