package io.hooktally.store.dispatch;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;

/** The parked table. */
final class ParkedRows {
  private ParkedRows() {}

  /** Copies a dispatch row here; the caller takes it away there in the same transaction. */
  static void park(Handle handle, long dispatchId, Parked.Kind kind, int attempts, String error) {
    handle
        .createUpdate(
            """
            insert into parked (consumer, source, event_id, replay_id, conflict_id, lane,
                received_at, entity_type, key, kind, attempts, error)
            select consumer, source, event_id, replay_id, conflict_id, lane,
                received_at, entity_type, key, :kind, :attempts, :error
            from dispatch where id = :id
            """)
        .bind("id", dispatchId)
        .bind("kind", kind.name().toLowerCase(Locale.ROOT))
        .bind("attempts", attempts)
        .bind("error", error)
        .execute();
  }

  static long count(Handle handle, ConsumerRef consumer) {
    return DispatchRows.bind(
            handle.createQuery(
                "select count(*) from parked where consumer = :consumer and source = :source"),
            consumer)
        .mapTo(Long.class)
        .one();
  }

  static List<Parked> list(Handle handle, ConsumerRef consumer, long afterId, int limit) {
    return DispatchRows.bind(
            handle.createQuery(
                """
                select id, event_id, conflict_id, key, kind, attempts, error, parked_at
                from parked
                where consumer = :consumer and source = :source and id > :after
                order by id
                limit :limit
                """),
            consumer)
        .bind("after", afterId)
        .bind("limit", limit)
        .map(
            (row, context) ->
                new Parked(
                    row.getLong("id"),
                    consumer,
                    row.getString("event_id"),
                    row.getLong("conflict_id"),
                    row.getString("key"),
                    Parked.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                    row.getInt("attempts"),
                    row.getString("error"),
                    row.getObject("parked_at", OffsetDateTime.class).toInstant()))
        .list();
  }
}
