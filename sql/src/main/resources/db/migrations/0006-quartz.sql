--liquibase formatted sql

--changeset hooktally:0006-quartz
-- Names and meaning of tables and columns are Quartz's (2.5, JDBC store); nothing of ours reads them.
create table qrtz_job_details (
    sched_name        text    not null,
    job_name          text    not null,
    job_group         text    not null,
    description       text,
    job_class_name    text    not null,
    is_durable        boolean not null,
    is_nonconcurrent  boolean not null,
    is_update_data    boolean not null,
    requests_recovery boolean not null,
    job_data          bytea,
    primary key (sched_name, job_name, job_group)
);

create table qrtz_triggers (
    sched_name     text   not null,
    trigger_name   text   not null,
    trigger_group  text   not null,
    job_name       text   not null,
    job_group      text   not null,
    description    text,
    next_fire_time bigint,
    prev_fire_time bigint,
    priority       int,
    trigger_state  text   not null,
    trigger_type   text   not null,
    start_time     bigint not null,
    end_time       bigint,
    calendar_name  text,
    misfire_instr  smallint,
    job_data       bytea,
    primary key (sched_name, trigger_name, trigger_group),
    foreign key (sched_name, job_name, job_group) references qrtz_job_details
);
create index qrtz_triggers_job on qrtz_triggers (sched_name, job_name, job_group);
create index qrtz_triggers_next on qrtz_triggers (sched_name, trigger_state, next_fire_time);

create table qrtz_cron_triggers (
    sched_name      text not null,
    trigger_name    text not null,
    trigger_group   text not null,
    cron_expression text not null,
    time_zone_id    text,
    primary key (sched_name, trigger_name, trigger_group),
    foreign key (sched_name, trigger_name, trigger_group) references qrtz_triggers
);

create table qrtz_simple_triggers (
    sched_name      text   not null,
    trigger_name    text   not null,
    trigger_group   text   not null,
    repeat_count    bigint not null,
    repeat_interval bigint not null,
    times_triggered bigint not null,
    primary key (sched_name, trigger_name, trigger_group),
    foreign key (sched_name, trigger_name, trigger_group) references qrtz_triggers
);

create table qrtz_simprop_triggers (
    sched_name    text not null,
    trigger_name  text not null,
    trigger_group text not null,
    str_prop_1    text,
    str_prop_2    text,
    str_prop_3    text,
    int_prop_1    int,
    int_prop_2    int,
    long_prop_1   bigint,
    long_prop_2   bigint,
    dec_prop_1    numeric,
    dec_prop_2    numeric,
    bool_prop_1   boolean,
    bool_prop_2   boolean,
    primary key (sched_name, trigger_name, trigger_group),
    foreign key (sched_name, trigger_name, trigger_group) references qrtz_triggers
);

create table qrtz_blob_triggers (
    sched_name    text not null,
    trigger_name  text not null,
    trigger_group text not null,
    blob_data     bytea,
    primary key (sched_name, trigger_name, trigger_group),
    foreign key (sched_name, trigger_name, trigger_group) references qrtz_triggers
);

create table qrtz_calendars (
    sched_name    text  not null,
    calendar_name text  not null,
    calendar      bytea not null,
    primary key (sched_name, calendar_name)
);

create table qrtz_paused_trigger_grps (
    sched_name    text not null,
    trigger_group text not null,
    primary key (sched_name, trigger_group)
);

create table qrtz_fired_triggers (
    sched_name        text   not null,
    entry_id          text   not null,
    trigger_name      text   not null,
    trigger_group     text   not null,
    instance_name     text   not null,
    fired_time        bigint not null,
    sched_time        bigint not null,
    priority          int    not null,
    state             text   not null,
    job_name          text,
    job_group         text,
    is_nonconcurrent  boolean,
    requests_recovery boolean,
    primary key (sched_name, entry_id)
);
create index qrtz_fired_triggers_instance on qrtz_fired_triggers (sched_name, instance_name);

create table qrtz_scheduler_state (
    sched_name        text   not null,
    instance_name     text   not null,
    last_checkin_time bigint not null,
    checkin_interval  bigint not null,
    primary key (sched_name, instance_name)
);

create table qrtz_locks (
    sched_name text not null,
    lock_name  text not null,
    primary key (sched_name, lock_name)
);
