package io.hooktally.store.inbox;

import static java.util.Objects.requireNonNull;

import io.hooktally.store.alert.AlertKind;
import io.hooktally.store.alert.Alerts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The conflict table. Writers hold the lock of the event's ledger row. */
final class ConflictRows {
  /** Bodies kept per event id; further ones are only counted. */
  static final int KEPT = 10;

  private static final Duration ALERT_AGAIN = Duration.ofDays(1);

  private static final String SELECT =
      """
      select id, source, event_id, topic, encode(body_sha256, 'hex') as body_sha256, received_at,
             deliveries, cast(headers as text) as headers, body
      from conflict
      """;

  private ConflictRows() {}

  /** Keeps the body unless it is kept already or there are enough, and tells the replica. */
  static void keep(Handle handle, String instance, Delivery delivery, long times) {
    if (!countAgain(handle, delivery, times)) {
      insert(handle, delivery, times)
          .ifPresent(
              id -> {
                dispatch(handle, instance, id);
                alert(handle, delivery);
              });
    }
  }

  // The first of a day: a thousand of them are one thing to look into.
  private static void alert(Handle handle, Delivery delivery) {
    Alerts.addUnlessRecent(
        handle,
        AlertKind.CONFLICT,
        delivery.source(),
        ALERT_AGAIN,
        "Source %1$s sent event %2$s again with another body. Both are kept, and what they are about is read from the API. Either the source gives one id to two events, or somebody sends what it did not. See: conflicts --source %1$s, or GET /api/conflicts?source=%1$s. Further ones are not told of for a day."
            .formatted(delivery.source(), delivery.eventId()));
  }

  private static boolean countAgain(Handle handle, Delivery delivery, long times) {
    return handle
            .createUpdate(
                """
                update conflict
                set deliveries = deliveries + :times,
                    last_received_at = greatest(last_received_at, clock_timestamp())
                where source = :source and event_id = :id and body_sha256 = :hash
                """)
            .bind("times", times)
            .bind("source", delivery.source())
            .bind("id", delivery.eventId())
            .bind("hash", delivery.sha256())
            .execute()
        > 0;
  }

  private static Optional<Long> insert(Handle handle, Delivery delivery, long times) {
    return handle
        .createQuery(
            """
            with moment as (
              select clock_timestamp() as now
            )
            insert into conflict
              (source, event_id, topic, body_sha256, headers, body, deliveries, received_at,
               last_received_at)
            select :source, :id, cast(:topic as text), :hash, cast(:headers as jsonb), :body, :times,
                   now, now
            from moment
            where :kept > (select count(*) from conflict where source = :source and event_id = :id)
            returning id
            """)
        .bind("source", delivery.source())
        .bind("id", delivery.eventId())
        .bind("topic", delivery.topic())
        .bind("hash", delivery.sha256())
        .bind("headers", Headers.write(delivery.headers()))
        .bind("body", delivery.body())
        .bind("times", times)
        .bind("kept", KEPT)
        .mapTo(Long.class)
        .findOne();
  }

  // Whatever the topics say: they are not signed, and the entities of both bodies are to be read.
  private static void dispatch(Handle handle, String instance, long id) {
    handle
        .createUpdate(
            """
            with dispatched as (
              insert into dispatch (consumer, source, event_id, conflict_id, lane, received_at)
              select r.name, c.source, c.event_id, c.id, 'live', c.received_at
              from conflict c
              join consumer r on r.source = c.source and r.name = :replica
              where c.id = :id
              returning consumer, source
            )
            insert into dispatch_count as d (consumer, source, instance, dispatched)
            select consumer, source, :instance, 1 from dispatched
            on conflict (consumer, source, instance) do update set dispatched = d.dispatched + 1
            """)
        .bind("id", id)
        .bind("replica", Inbox.REPLICA)
        .bind("instance", instance)
        .execute();
  }

  static Optional<Conflict> find(Handle handle, long id) {
    return handle
        .createQuery(SELECT + "where id = :id")
        .bind("id", id)
        .map((row, context) -> conflict(row))
        .findOne();
  }

  static List<Conflict> find(Handle handle, EventKey key) {
    return handle
        .createQuery(SELECT + "where source = :source and event_id = :id order by id")
        .bind("source", key.source())
        .bind("id", key.eventId())
        .map((row, context) -> conflict(row))
        .list();
  }

  static List<OtherBody> newest(Handle handle, String source, long before, int limit) {
    return handle
        .createQuery(
            """
            select id, event_id, topic, encode(body_sha256, 'hex') as body_sha256,
                   octet_length(body) as body_size, received_at, deliveries
            from conflict
            where source = :source and id < :before
            order by id desc
            limit :limit
            """)
        .bind("source", source)
        .bind("before", before)
        .bind("limit", limit)
        .map(
            (row, context) ->
                new OtherBody(
                    row.getLong("id"),
                    requireNonNull(row.getString("event_id")),
                    row.getString("topic"),
                    requireNonNull(row.getString("body_sha256")),
                    row.getInt("body_size"),
                    Sql.instant(row, "received_at"),
                    row.getLong("deliveries")))
        .list();
  }

  private static Conflict conflict(ResultSet row) throws SQLException {
    return new Conflict(
        row.getLong("id"),
        row.getString("source"),
        row.getString("event_id"),
        row.getString("topic"),
        row.getString("body_sha256"),
        Sql.instant(row, "received_at"),
        row.getLong("deliveries"),
        new Payload(row.getBytes("body"), Headers.read(row.getString("headers"))));
  }
}
