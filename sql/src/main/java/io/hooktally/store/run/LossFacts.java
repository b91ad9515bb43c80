package io.hooktally.store.run;

import static java.util.Objects.requireNonNull;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Looks up what is recorded of entities' events: waiting, parked, and the last one that touched
 * each replica row. Only reads. Thread-safe.
 */
public final class LossFacts {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public LossFacts(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The facts of these entities by id, in one query; every id is in the answer. */
  public Map<String, LossFact> find(String source, String entityType, Collection<String> ids) {
    return jdbi
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        """
                        select wanted.id,
                               waiting.event_id as waiting_event, waiting.received_at as waiting_at,
                               waiting.attempts,
                               parked.event_id as parked_event, parked.received_at as parked_at,
                               parked.kind as parked_kind, parked.error as parked_error,
                               event.event_id as last_event, event.topic as last_topic,
                               event.last_received_at as last_at
                        from unnest(:ids) as wanted (id)
                        left join lateral (
                            select event_id, received_at, attempts from dispatch
                            where consumer = 'replica' and source = :source
                              and key = :type || '/' || wanted.id
                            order by id desc limit 1) as waiting on true
                        left join lateral (
                            select event_id, received_at, kind, error from parked
                            where consumer = 'replica' and source = :source
                              and key = :type || '/' || wanted.id
                            order by id desc limit 1) as parked on true
                        left join entity on entity.source = :source
                            and entity.entity_type = :type and entity.entity_id = wanted.id
                        left join processed_event event on event.source = :source
                            and event.event_id = entity.event_id
                        """)
                    .bind("source", source)
                    .bind("type", entityType)
                    .bindArray("ids", String.class, ids.toArray())
                    .map((row, context) -> fact(row))
                    .list())
        .stream()
        .collect(Collectors.toMap(LossFact::entityId, Function.identity(), (a, b) -> a));
  }

  private static LossFact fact(ResultSet row) throws SQLException {
    String waiting = row.getString("waiting_event");
    String parked = row.getString("parked_event");
    String last = row.getString("last_event");
    return new LossFact(
        row.getString("id"),
        waiting == null
            ? null
            : new LossFact.Waiting(waiting, instant(row, "waiting_at"), row.getInt("attempts")),
        parked == null
            ? null
            : new LossFact.Parked(
                parked,
                instant(row, "parked_at"),
                requireNonNull(row.getString("parked_kind")),
                requireNonNull(row.getString("parked_error"))),
        last == null ? null : new LossFact.Last(last, topic(row), instant(row, "last_at")));
  }

  private static @Nullable String topic(ResultSet row) throws SQLException {
    return row.getString("last_topic");
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return requireNonNull(row.getObject(column, OffsetDateTime.class)).toInstant();
  }
}
