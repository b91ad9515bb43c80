package io.hooktally.store.dispatch;

import static java.util.Objects.requireNonNull;

import io.hooktally.store.Lane;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The statements that claim rows of the dispatch table. */
final class Claims {
  private Claims() {}

  /** One claim at a time per consumer, over all instances: of a key two lanes never fly at once. */
  static void lock(Handle handle, ConsumerRef consumer) {
    DispatchRows.bind(
            handle.createQuery(
                """
                select pg_advisory_xact_lock(
                    hashtextextended('hooktally claim ' || :consumer || ' ' || :source, 0))
                """),
            consumer)
        .mapTo(String.class)
        .list();
  }

  /**
   * Claims the first row of as many free keys as the limit allows; what is replayed comes last.
   * Whether the consumer is paused, and whether what is parked holds its key, is read here, so that
   * every instance heeds it from the same moment on.
   */
  static List<Claimed> heads(
      Handle handle,
      ConsumerRef consumer,
      String instance,
      Instant now,
      Duration length,
      int limit) {
    // The limit stands inside, so that a long backlog is not looked at as a whole.
    return DispatchRows.bind(
            handle.createQuery(
                """
                with rule as (
                    select coalesce(bool_or(paused_at is not null), false) as paused,
                           coalesce(bool_or(hold_key), false) as holds
                    from consumer
                    where name = :consumer and source = :source
                ), unread as materialized (
                    select l.name as lane, (
                               select min(u.id) from dispatch u
                               where u.consumer = :consumer and u.source = :source
                                 and u.lane = l.name and u.key is null) as first
                    from unnest(array['live', 'backfill', 'reconcile', 'replay']) as l (name)
                ), candidate as (
                    select d.id, d.key, d.lane
                    from dispatch d
                    where d.consumer = :consumer and d.source = :source and d.key is not null
                      and not (select paused from rule)
                      and (d.due_at is null or d.due_at <= :now)
                      and (not (select holds from rule) or not exists (
                          select from parked p
                          where p.consumer = d.consumer and p.source = d.source and p.key = d.key
                            and p.lane = d.lane
                            and (p.dispatch_id < d.id or p.dispatch_id is null)))
                      and not exists (
                          select from dispatch e
                          where e.consumer = d.consumer and e.source = d.source and e.key = d.key
                            and (e.claimed_until > clock_timestamp()
                                 or (e.id < d.id and e.lane = d.lane and not e.waiting_for_lag)))
                      and d.id < coalesce(
                          (select u.first from unread u where u.lane = d.lane), d.id + 1)
                    order by d.lane = 'replay', d.id
                    limit :limit
                ), head as (
                    select id, row_number() over (
                               partition by key order by lane = 'replay', id) as place
                    from candidate
                )
                update dispatch d
                set claim = nextval('dispatch_claim'), claimed_by = :instance,
                    claimed_until = clock_timestamp() + :millis * interval '1 ms'
                from head
                where d.id = head.id and head.place = 1
                returning d.*
                """),
            consumer)
        .bind("now", now.atOffset(ZoneOffset.UTC))
        .bind("instance", instance)
        .bind("millis", length.toMillis())
        .bind("limit", limit)
        .map((row, context) -> claimed(row))
        .list();
  }

  /** Claims what comes behind a claimed head: the burst of one key that one read can serve. */
  static List<Claimed> followers(
      Handle handle,
      ConsumerRef consumer,
      Claimed head,
      String instance,
      Instant now,
      Duration length,
      int limit) {
    return DispatchRows.bind(
            handle.createQuery(
                """
                with follower as (
                    select d.id from dispatch d
                    where d.consumer = :consumer and d.source = :source and d.key = :key
                      and d.lane = :lane and d.id > :head and d.conflict_id = 0
                      and d.waiting_for_lag = :waited and (d.due_at is null or d.due_at <= :now)
                      -- between the head and what follows it may stand what a person retried, what
                      -- is parked, and what is due later
                      and d.id < coalesce((
                          select min(u.id) from dispatch u
                          where u.consumer = :consumer and u.source = :source and u.lane = :lane
                            and u.key is null), d.id + 1)
                      and d.id < coalesce((
                          select min(p.dispatch_id) from parked p
                          join consumer c on c.name = p.consumer and c.source = p.source
                          where p.consumer = :consumer and p.source = :source and p.key = :key
                            and p.lane = :lane and p.dispatch_id > :head and c.hold_key), d.id + 1)
                      and d.id < coalesce((
                          select min(b.id) from dispatch b
                          where b.consumer = :consumer and b.source = :source and b.key = :key
                            and b.lane = :lane and b.id > :head and b.due_at > :now
                            and not b.waiting_for_lag), d.id + 1)
                    order by d.id
                    limit :limit
                )
                update dispatch d
                set claim = :claim, claimed_by = :instance,
                    claimed_until = clock_timestamp() + :millis * interval '1 ms'
                from follower
                where d.id = follower.id
                returning d.*
                """),
            consumer)
        .bind("key", head.key())
        .bind("lane", head.lane().text())
        .bind("head", head.id())
        .bind("waited", head.waitedForLag())
        .bind("now", now.atOffset(ZoneOffset.UTC))
        .bind("claim", head.claim())
        .bind("instance", instance)
        .bind("millis", length.toMillis())
        .bind("limit", limit)
        .map((row, context) -> claimed(row))
        .list();
  }

  private static Claimed claimed(ResultSet row) throws SQLException {
    return new Claimed(
        row.getLong("id"),
        row.getLong("claim"),
        requireNonNull(row.getString("event_id")),
        row.getLong("conflict_id"),
        Lane.of(requireNonNull(row.getString("lane"))),
        row.getObject("received_at", OffsetDateTime.class).toInstant(),
        requireNonNull(row.getString("entity_type")),
        requireNonNull(row.getString("key")),
        row.getInt("attempts"),
        row.getBoolean("waiting_for_lag"));
  }
}
