package io.hooktally.store.dispatch;

import io.hooktally.store.dispatch.Bodies.Encoded;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** The dispatch table. */
final class DispatchRows {
  private DispatchRows() {}

  /**
   * The next rows without a key, of each lane in sequence order, as many as {@code bytes} of bodies
   * allow. What is replayed comes behind the rest: it is no news.
   */
  static List<Unkeyed> unkeyed(Handle handle, ConsumerRef consumer, int limit, long bytes) {
    return bind(
            handle.createQuery(
                """
                with next as (
                    select d.* from unnest(array['live', 'backfill', 'reconcile', 'replay'])
                        as l (name)
                    cross join lateral (
                        select id, source, event_id, conflict_id, lane = 'replay' as again
                        from dispatch
                        where consumer = :consumer and source = :source and key is null
                          and lane = l.name
                        order by id
                        limit :limit) d
                    order by d.again, d.id
                    limit :limit
                ), sized as (
                    select n.id, e.topic, p.body, c.topic as conflict_topic, c.body as conflict,
                           p.headers -> 'Content-Encoding' ->> 0 as encoding,
                           c.headers -> 'Content-Encoding' ->> 0 as conflict_encoding,
                           sum(coalesce(octet_length(p.body), 0) + coalesce(octet_length(c.body), 0))
                               over (order by n.again, n.id) as total,
                           row_number() over (order by n.again, n.id) as place
                    from next n
                    join processed_event e on e.source = n.source and e.event_id = n.event_id
                    left join event_payload p on p.event_seq = e.seq
                        and p.received_at = e.first_received_at
                    left join conflict c on n.conflict_id > 0 and c.id = n.conflict_id
                )
                select id, topic, body, encoding, conflict_topic, conflict, conflict_encoding
                from sized
                where place = 1 or total <= :bytes
                order by place
                """),
            consumer)
        .bind("limit", limit)
        .bind("bytes", bytes)
        .map(
            (row, context) ->
                new Unkeyed(
                    row.getLong("id"),
                    row.getString("topic"),
                    row.getString("conflict_topic"),
                    bodies(row)))
        .list();
  }

  /**
   * The bodies of one row; nothing when the row is gone. The event's own is empty when the
   * partition of its payload was dropped, which leaves a late conflict with its own body only.
   */
  static Optional<Bodies> bodies(Handle handle, long id) {
    return handle
        .createQuery(
            """
            select p.body, p.headers -> 'Content-Encoding' ->> 0 as encoding,
                   c.body as conflict, c.headers -> 'Content-Encoding' ->> 0 as conflict_encoding
            from dispatch d
            join processed_event e on e.source = d.source and e.event_id = d.event_id
            left join event_payload p on p.event_seq = e.seq
                and p.received_at = e.first_received_at
            left join conflict c on d.conflict_id > 0 and c.id = d.conflict_id
            where d.id = :id
            """)
        .bind("id", id)
        .map((row, context) -> bodies(row))
        .findOne();
  }

  /** The topic and ledger sequence of a row's event. */
  static Optional<EventFacts> facts(Handle handle, long id) {
    return handle
        .createQuery(
            """
            select e.topic, c.topic as conflict_topic, e.seq
            from dispatch d
            join processed_event e on e.source = d.source and e.event_id = d.event_id
            left join conflict c on d.conflict_id > 0 and c.id = d.conflict_id
            where d.id = :id
            """)
        .bind("id", id)
        .map(
            (row, context) ->
                new EventFacts(
                    row.getString("topic"), row.getString("conflict_topic"), row.getLong("seq")))
        .findOne();
  }

  static void key(Handle handle, Collection<Keyed> keyed) {
    handle
        .createUpdate(
            """
            update dispatch d
            set entity_type = k.entity_type, key = k.key
            from unnest(:ids, :types, :keys) as k (id, entity_type, key)
            where d.id = k.id and d.key is null
            """)
        .bindArray("ids", Long.class, keyed.stream().map(Keyed::id).toArray())
        .bindArray("types", String.class, keyed.stream().map(Keyed::entityType).toArray())
        .bindArray("keys", String.class, keyed.stream().map(Keyed::key).toArray())
        .execute();
  }

  /** Takes a claimed row away; false when the claim was lost. */
  static boolean delete(Handle handle, Claimed claimed) {
    return handle
            .createUpdate("delete from dispatch where id = :id and claim = :claim")
            .bind("id", claimed.id())
            .bind("claim", claimed.claim())
            .execute()
        == 1;
  }

  /** Takes a row without a key away; false when it is gone or has a key. */
  static boolean deleteUnkeyed(Handle handle, long id) {
    return handle
            .createUpdate("delete from dispatch where id = :id and key is null")
            .bind("id", id)
            .execute()
        == 1;
  }

  /** Gives a claimed row back, to be handed over again; false when the claim was lost. */
  static boolean giveBack(
      Handle handle,
      Claimed claimed,
      int attempts,
      @Nullable Instant dueAt,
      boolean waitingForLag,
      @Nullable String error) {
    return handle
            .createUpdate(
                """
                update dispatch
                set claim = null, claimed_by = null, claimed_until = null, attempts = :attempts,
                    due_at = :dueAt, waiting_for_lag = :waiting,
                    last_error = coalesce(:error, last_error)
                where id = :id and claim = :claim
                """)
            .bind("id", claimed.id())
            .bind("claim", claimed.claim())
            .bind("attempts", attempts)
            .bind("dueAt", dueAt == null ? null : dueAt.atOffset(ZoneOffset.UTC))
            .bind("waiting", waitingForLag)
            .bind("error", error)
            .execute()
        == 1;
  }

  static long pending(Handle handle, ConsumerRef consumer) {
    return bind(
            handle.createQuery(
                "select count(*) from dispatch where consumer = :consumer and source = :source"),
            consumer)
        .mapTo(Long.class)
        .one();
  }

  static <S extends SqlStatement<S>> S bind(S statement, ConsumerRef consumer) {
    return statement.bind("consumer", consumer.name()).bind("source", consumer.source());
  }

  private static Bodies bodies(ResultSet row) throws SQLException {
    byte[] body = row.getBytes("body");
    byte[] conflict = row.getBytes("conflict");
    return new Bodies(
        new Encoded(body == null ? new byte[0] : body, row.getString("encoding")),
        conflict == null ? null : new Encoded(conflict, row.getString("conflict_encoding")));
  }
}
