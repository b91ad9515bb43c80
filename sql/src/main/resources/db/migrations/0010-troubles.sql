--liquibase formatted sql

--changeset hooktally:0010-heartbeat
create table heartbeat (
    instance   text        primary key,
    started_at timestamptz not null,
    beat_at    timestamptz not null
);
comment on table heartbeat is
  'When each instance of the service last said that it is there and has its database.';

--changeset hooktally:0010-trouble
create table trouble (
    id         bigint generated always as identity primary key,
    source     text        not null,
    outcome    text        not null,
    instance   text        not null,
    began_at   timestamptz not null,
    ended_at   timestamptz not null,
    deliveries bigint      not null
);
comment on table trouble is
  'Spans in which deliveries were refused, unavailable or aborted, or no instance was there.';
comment on column trouble.source is 'Empty: all sources, where no instance was there.';
create index trouble_span on trouble (source, ended_at);

--changeset hooktally:0010-refused-delivery
create table refused_delivery (
    id          bigint generated always as identity primary key,
    at          timestamptz not null,
    source      text        not null,
    outcome     text        not null,
    headers     jsonb       not null,
    body_sha256 bytea,
    body_size   bigint      not null
);
comment on table refused_delivery is
  'Samples of deliveries answered 4xx, the newest few of each source and outcome; never a body.';
comment on column refused_delivery.body_size is 'Bytes that were announced or came.';
create index refused_delivery_newest on refused_delivery (source, outcome, id);

--changeset hooktally:0010-alert
alter table alert drop constraint alert_kind_check;
alter table alert add constraint alert_kind_check check (kind in
    ('disagreements', 'held_back', 'failed', 'solved', 'source_unreachable', 'conflict'));
create index alert_newest on alert (kind, source, created_at);
