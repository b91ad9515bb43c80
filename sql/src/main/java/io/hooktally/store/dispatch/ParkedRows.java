package io.hooktally.store.dispatch;

import static java.util.Objects.requireNonNull;

import io.hooktally.store.Lane;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/** The parked table. */
final class ParkedRows {
  private static final String FILTERED =
      """
      from parked p
      join processed_event e on e.source = p.source and e.event_id = p.event_id
      left join conflict c on p.conflict_id > 0 and c.id = p.conflict_id
      where (:anyId or p.id = any(:ids))
        and (cast(:source as text) is null or p.source = :source)
        and (cast(:consumer as text) is null or p.consumer = :consumer)
        and (cast(:kind as text) is null or p.kind = :kind)
        and (cast(:key as text) is null or p.key = :key)
        and (cast(:pattern as text) is null or coalesce(c.topic, e.topic) ~ :pattern)
        and (cast(:event as text) is null or p.event_id = :event)
        and (cast(:error as text) is null or strpos(p.error, :error) > 0)
      """;

  // Retried or discarded by two at once, a row is taken by one of them.
  private static final String TAKEN =
      """
      with chosen as (
          select p.id
      """
          + FILTERED
          + """
            ), taken as (
                delete from parked p using chosen
                where p.id = chosen.id
                returning p.*
            )
            """;

  private ParkedRows() {}

  /** Copies a dispatch row here; the caller takes it away there in the same transaction. */
  static void park(Handle handle, long dispatchId, Parked.Kind kind, int attempts, String error) {
    handle
        .createUpdate(
            """
            insert into parked (dispatch_id, consumer, source, event_id, replay_id, conflict_id,
                lane, received_at, entity_type, key, kind, attempts, error)
            select id, consumer, source, event_id, replay_id, conflict_id, lane,
                received_at, entity_type, key, :kind, :attempts, :error
            from dispatch where id = :id
            """)
        .bind("id", dispatchId)
        .bind("kind", kind.text())
        .bind("attempts", attempts)
        .bind("error", error)
        .execute();
  }

  static List<Parked> list(Handle handle, ParkedFilter filter, long afterId, int limit) {
    return bind(
            handle.createQuery(
                "select p.*, coalesce(c.topic, e.topic) as topic "
                    + FILTERED
                    + """
                        and p.id > :after
                      order by p.id
                      limit :limit
                      """),
            filter)
        .bind("after", afterId)
        .bind("limit", limit)
        .map((row, context) -> parked(row))
        .list();
  }

  /**
   * Puts rows back into dispatch under their old numbers, to be handed over from the first attempt
   * on. What could not be read goes back without a key: it is read again.
   *
   * @return how many
   */
  static int retry(Handle handle, ParkedFilter filter) {
    return bind(
            handle.createUpdate(
                TAKEN
                    + """
                      insert into dispatch (id, consumer, source, event_id, replay_id, conflict_id,
                          lane, received_at, entity_type, key, last_error)
                      overriding system value
                      select coalesce(dispatch_id,
                                 nextval(pg_get_serial_sequence('dispatch', 'id'))),
                             consumer, source, event_id, replay_id, conflict_id, lane, received_at,
                             case when kind = 'poison' then entity_type end,
                             case when kind = 'poison' then key end, error
                      from taken
                      order by dispatch_id nulls first, id
                      """),
            filter)
        .execute();
  }

  /**
   * Takes rows away for good; of each an audit row says what it was.
   *
   * @return how many, by consumer
   */
  static Map<ConsumerRef, Long> discard(
      Handle handle, ParkedFilter filter, String who, String reason) {
    return bind(
            handle.createQuery(
                TAKEN
                    + """
                      , kept as (
                          insert into audit (who, action, subject, detail)
                          select :who, 'discard', 'parked ' || id, jsonb_build_object(
                              'reason', cast(:reason as text), 'consumer', consumer,
                              'source', source, 'event', event_id, 'replay', replay_id,
                              'conflict', conflict_id, 'lane', lane, 'key', key, 'kind', kind,
                              'attempts', attempts, 'error', error, 'receivedAt', received_at,
                              'parkedAt', parked_at)
                          from taken
                          order by id
                      )
                      select consumer, source, count(*) as events from taken
                      group by consumer, source
                      """),
            filter)
        .bind("who", who)
        .bind("reason", reason)
        .map((row, context) -> Map.entry(consumer(row), row.getLong("events")))
        .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
  }

  private static <S extends SqlStatement<S>> S bind(S statement, ParkedFilter filter) {
    List<Long> ids = filter.ids();
    return statement
        .bind("anyId", ids == null)
        .bindArray("ids", Long.class, ids == null ? new Object[0] : ids.toArray())
        .bind("source", filter.source())
        .bind("consumer", filter.consumer())
        .bind("kind", filter.kindText().orElse(null))
        .bind("key", filter.key())
        .bind("pattern", filter.topicPattern())
        .bind("event", filter.eventId())
        .bind("error", filter.error());
  }

  private static Parked parked(ResultSet row) throws SQLException {
    return new Parked(
        row.getLong("id"),
        consumer(row),
        requireNonNull(row.getString("event_id")),
        row.getLong("replay_id"),
        row.getLong("conflict_id"),
        Lane.of(requireNonNull(row.getString("lane"))),
        row.getString("topic"),
        row.getString("key"),
        Parked.Kind.valueOf(requireNonNull(row.getString("kind")).toUpperCase(Locale.ROOT)),
        row.getInt("attempts"),
        requireNonNull(row.getString("error")),
        requireNonNull(row.getObject("received_at", OffsetDateTime.class)).toInstant(),
        requireNonNull(row.getObject("parked_at", OffsetDateTime.class)).toInstant());
  }

  private static ConsumerRef consumer(ResultSet row) throws SQLException {
    return new ConsumerRef(
        requireNonNull(row.getString("consumer")), requireNonNull(row.getString("source")));
  }
}
