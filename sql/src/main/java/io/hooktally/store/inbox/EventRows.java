package io.hooktally.store.inbox;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The ledger of ids, and what is written in one statement with a new id. */
final class EventRows {
  // In the place of a conflict's number: no other body came, and the entity is to be read.
  private static final long READ_ONLY = -1;

  // One statement, so that a lone delivery costs one round trip and a commit.
  // Reading consumer takes the lock (access share) that the registration of a consumer excludes.
  private static final String INSERT =
      """
      with incoming as (
        select *
        from unnest(:sources, :ids, :topics, :hashes, :headers, :bodies) with ordinality
          as i(source, event_id, topic, body_sha256, headers, body, n)
      ),
      moment as (
        select clock_timestamp() as now
      ),
      fresh as (
        insert into processed_event
          (source, event_id, topic, body_sha256, first_received_at, last_received_at)
        select source, event_id, topic, body_sha256, now, now
        from incoming, moment
        order by n
        on conflict (source, event_id) do nothing
        returning source, event_id, topic, seq, first_received_at
      ),
      kept as (
        insert into event_payload (event_seq, received_at, headers, body)
        select f.seq, f.first_received_at, cast(i.headers as jsonb), i.body
        from fresh f
        join incoming i on i.source = f.source and i.event_id = f.event_id
      ),
      dispatched as (
        insert into dispatch (consumer, source, event_id, lane, received_at)
        select c.name, f.source, f.event_id, 'live', f.first_received_at
        from fresh f
        join consumer c on c.source = f.source
        where c.topic_pattern is null or f.topic is null or f.topic ~ c.topic_pattern
        order by f.seq
        returning consumer, source
      ),
      counted as (
        insert into dispatch_count as d (consumer, source, instance, dispatched)
        select consumer, source, :instance, count(*)
        from dispatched
        group by consumer, source
        order by consumer, source
        on conflict (consumer, source, instance)
          do update set dispatched = d.dispatched + excluded.dispatched
      )
      select source, event_id from fresh
      """;

  // Locked in one order first: an update alone takes its rows in whatever order the plan has.
  private static final String REPEAT =
      """
      with repeated as (
        select * from unnest(:sources, :ids, :times) as r(source, event_id, times)
      ),
      locked as (
        select e.source, e.event_id, r.times
        from processed_event e
        join repeated r on r.source = e.source and r.event_id = e.event_id
        order by e.source, e.event_id
        for update of e
      )
      update processed_event e
      set deliveries = e.deliveries + l.times,
          last_received_at = greatest(e.last_received_at, clock_timestamp())
      from locked l
      where e.source = l.source and e.event_id = l.event_id
      returning e.source, e.event_id, e.body_sha256
      """;

  private EventRows() {}

  /**
   * Writes the events that are not there yet, with payload and dispatch rows.
   *
   * @param firsts one delivery per event id, in key order
   * @return the ids that were new
   */
  static Set<EventKey> insert(Handle handle, String instance, List<Delivery> firsts) {
    int size = firsts.size();
    String[] sources = new String[size];
    String[] ids = new String[size];
    @Nullable String[] topics = new @Nullable String[size];
    byte[][] hashes = new byte[size][];
    String[] headers = new String[size];
    byte[][] bodies = new byte[size][];
    for (int i = 0; i < size; i++) {
      Delivery delivery = firsts.get(i);
      sources[i] = delivery.source();
      ids[i] = delivery.eventId();
      topics[i] = delivery.topic();
      hashes[i] = delivery.sha256();
      headers[i] = Headers.write(delivery.headers());
      bodies[i] = delivery.body();
    }
    return handle
        .createQuery(INSERT)
        .bind("sources", Sql.array("text", sources))
        .bind("ids", Sql.array("text", ids))
        .bind("topics", Sql.array("text", topics))
        .bind("hashes", Sql.array("bytea", hashes))
        .bind("headers", Sql.array("text", headers))
        .bind("bodies", Sql.array("bytea", bodies))
        .bind("instance", instance)
        .map((row, context) -> new EventKey(row.getString("source"), row.getString("event_id")))
        .set();
  }

  /**
   * Counts further deliveries of events that are there.
   *
   * @param times how many further deliveries came, by event
   * @return SHA-256 of each event's own body
   */
  static Map<EventKey, byte[]> repeat(Handle handle, Map<EventKey, Long> times) {
    Collection<EventKey> keys = times.keySet();
    return handle
        .createQuery(REPEAT)
        .bind(
            "sources",
            Sql.array("text", keys.stream().map(EventKey::source).toArray(String[]::new)))
        .bind("ids", Sql.array("text", keys.stream().map(EventKey::eventId).toArray(String[]::new)))
        .bind("times", Sql.array("bigint", times.values().toArray(new Long[0])))
        .map(
            (row, context) ->
                Map.entry(
                    new EventKey(row.getString("source"), row.getString("event_id")),
                    row.getBytes("body_sha256")))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  static void countConflicts(Handle handle, EventKey key, long times) {
    handle
        .createUpdate(
            """
            update processed_event set conflicts = conflicts + :times
            where source = :source and event_id = :id
            """)
        .bind("times", times)
        .bind("source", key.source())
        .bind("id", key.eventId())
        .execute();
  }

  /**
   * Has the replica read the entity of an event that is there, once more than what it does already.
   * A row that waits unclaimed will be read for after this moment, and serves this time too.
   */
  static void readAgain(Handle handle, String instance, EventKey key) {
    handle
        .createUpdate(
            """
            with dispatched as (
              insert into dispatch
                (consumer, source, event_id, replay_id, conflict_id, lane, received_at)
              select r.name, r.source, :id, nextval('dispatch_claim'), :read, 'live',
                     clock_timestamp()
              from consumer r
              where r.source = :source and r.name = :replica and not exists (
                select from dispatch d
                where d.consumer = r.name and d.source = r.source and d.event_id = :id
                  and d.conflict_id = :read and d.claim is null)
              returning consumer, source
            )
            insert into dispatch_count as d (consumer, source, instance, dispatched)
            select consumer, source, :instance, 1 from dispatched
            on conflict (consumer, source, instance) do update set dispatched = d.dispatched + 1
            """)
        .bind("source", key.source())
        .bind("id", key.eventId())
        .bind("replica", Inbox.REPLICA)
        .bind("read", READ_ONLY)
        .bind("instance", instance)
        .execute();
  }

  static Optional<ProcessedEvent> find(Handle handle, EventKey key) {
    return handle
        .createQuery(
            """
            select seq, topic, encode(body_sha256, 'hex') as body_sha256, first_received_at,
                   last_received_at, deliveries, conflicts
            from processed_event
            where source = :source and event_id = :id
            """)
        .bind("source", key.source())
        .bind("id", key.eventId())
        .map(
            (row, context) ->
                new ProcessedEvent(
                    key.source(),
                    key.eventId(),
                    row.getLong("seq"),
                    row.getString("topic"),
                    row.getString("body_sha256"),
                    Sql.instant(row, "first_received_at"),
                    Sql.instant(row, "last_received_at"),
                    row.getLong("deliveries"),
                    row.getInt("conflicts")))
        .findOne();
  }

  static Optional<Payload> payload(Handle handle, EventKey key) {
    return handle
        .createQuery(
            """
            select p.body, cast(p.headers as text) as headers
            from processed_event e
            join event_payload p on p.event_seq = e.seq and p.received_at = e.first_received_at
            where e.source = :source and e.event_id = :id
            """)
        .bind("source", key.source())
        .bind("id", key.eventId())
        .map(
            (row, context) ->
                new Payload(row.getBytes("body"), Headers.read(row.getString("headers"))))
        .findOne();
  }
}
