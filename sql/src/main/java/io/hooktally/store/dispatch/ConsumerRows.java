package io.hooktally.store.dispatch;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The consumer table. */
final class ConsumerRows {
  private ConsumerRows() {}

  static void register(Handle handle, ConsumerRef consumer, String topicPattern, boolean holdKey) {
    DispatchRows.bind(
            handle.createUpdate(
                """
                insert into consumer as known (name, source, topic_pattern, hold_key)
                values (:consumer, :source, :pattern, :holdKey)
                on conflict (name, source) do update
                  set topic_pattern = excluded.topic_pattern, hold_key = excluded.hold_key
                where (known.topic_pattern, known.hold_key)
                      is distinct from (excluded.topic_pattern, excluded.hold_key)
                """),
            consumer)
        .bind("pattern", topicPattern)
        .bind("holdKey", holdKey)
        .execute();
  }

  static boolean holdsKey(Handle handle, ConsumerRef consumer) {
    return DispatchRows.bind(
            handle.createQuery(
                "select hold_key from consumer where name = :consumer and source = :source"),
            consumer)
        .mapTo(Boolean.class)
        .findOne()
        .orElse(false);
  }

  /** False where there is no such consumer, or it is paused. */
  static boolean pause(Handle handle, ConsumerRef consumer, String who, String reason) {
    return DispatchRows.bind(
                handle.createUpdate(
                    """
                    update consumer
                    set paused_at = clock_timestamp(), paused_by = :who, pause_reason = :reason
                    where name = :consumer and source = :source and paused_at is null
                    """),
                consumer)
            .bind("who", who)
            .bind("reason", reason)
            .execute()
        == 1;
  }

  /** False where there is no such consumer, or it is not paused. */
  static boolean resume(Handle handle, ConsumerRef consumer) {
    return DispatchRows.bind(
                handle.createUpdate(
                    """
                    update consumer set paused_at = null, paused_by = null, pause_reason = null
                    where name = :consumer and source = :source and paused_at is not null
                    """),
                consumer)
            .execute()
        == 1;
  }

  static List<ConsumerState> list(Handle handle) {
    return handle
        .createQuery(
            """
            select c.name, c.source, c.hold_key, c.paused_at, c.paused_by, c.pause_reason,
                   waiting.total, waiting.held, waiting.oldest_ms,
                   (select count(*) from parked p
                    where p.consumer = c.name and p.source = c.source) as parked
            from consumer c
            cross join lateral (
                select count(*) as total,
                       count(*) filter (where c.hold_key and exists (
                           select from parked p
                           where p.consumer = d.consumer and p.source = d.source and p.key = d.key
                             and p.lane = d.lane
                             and (p.dispatch_id < d.id or p.dispatch_id is null))) as held,
                       -- what is replayed was received long ago, and is no news
                       extract(epoch from clock_timestamp()
                           - min(d.received_at) filter (where d.lane <> 'replay')) * 1000
                           as oldest_ms
                from dispatch d
                where d.consumer = c.name and d.source = c.source) waiting
            order by c.source, c.name
            """)
        .map((row, context) -> state(row))
        .list();
  }

  private static ConsumerState state(ResultSet row) throws SQLException {
    long oldest = row.getLong("oldest_ms");
    Duration age = row.wasNull() ? null : Duration.ofMillis(oldest);
    return new ConsumerState(
        new ConsumerRef(row.getString("name"), row.getString("source")),
        row.getBoolean("hold_key"),
        row.getLong("total") - row.getLong("held"),
        row.getLong("held"),
        row.getLong("parked"),
        age,
        pause(row));
  }

  private static ConsumerState.@Nullable Pause pause(ResultSet row) throws SQLException {
    OffsetDateTime at = row.getObject("paused_at", OffsetDateTime.class);
    if (at == null) {
      return null;
    }
    Instant since = at.toInstant();
    return new ConsumerState.Pause(
        since, row.getString("paused_by"), row.getString("pause_reason"));
  }
}
