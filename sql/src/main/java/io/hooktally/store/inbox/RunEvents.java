package io.hooktally.store.inbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Tells the other consumers what a run changed in the replica: an event each, in the transaction of
 * the change. Their ids hold blanks, which no delivery's id can. Where no consumer but the replica
 * takes the topic, nothing is written.
 */
public final class RunEvents {
  /**
   * A change that a run made.
   *
   * @param runId the run
   * @param entityType its entity type
   * @param entityId the entity
   * @param readNumber of the read that the change came from
   * @param deleted whether it made the row a tombstone
   * @param body JSON that says what happened
   */
  public record Changed(
      long runId,
      String entityType,
      String entityId,
      long readNumber,
      boolean deleted,
      String body) {
    /** Its name in the ledger. */
    public String eventId() {
      return "run %d %s %s read %d".formatted(runId, entityType, entityId, readNumber);
    }

    /** What consumers choose it by: {@code hooktally.order.changed}, {@code .deleted}. */
    public String topic() {
      return "hooktally." + entityType + (deleted ? ".deleted" : ".changed");
    }
  }

  private static final String INSERT =
      """
      with incoming as (
        select i.*, clock_timestamp() as now
        from unnest(:ids, :topics, :hashes, :bodies) with ordinality
          as i(event_id, topic, body_sha256, body, n)
        where exists (select from consumer c
          where c.source = :source and c.name <> 'replica'
            and (c.topic_pattern is null or i.topic ~ c.topic_pattern))
      ),
      fresh as (
        insert into processed_event (source, event_id, topic, body_sha256, first_received_at,
          last_received_at, deliveries)
        select :source, event_id, topic, body_sha256, now, now, 0
        from incoming
        order by n
        on conflict (source, event_id) do nothing
        returning source, event_id, topic, seq, first_received_at
      ),
      kept as (
        insert into event_payload (event_seq, received_at, headers, body)
        select f.seq, f.first_received_at, '{"Content-Type": ["application/json"]}', i.body
        from fresh f
        join incoming i on i.event_id = f.event_id
      ),
      dispatched as (
        insert into dispatch (consumer, source, event_id, lane, received_at)
        select c.name, f.source, f.event_id, :lane, f.first_received_at
        from fresh f
        join consumer c on c.source = f.source and c.name <> 'replica'
        where c.topic_pattern is null or f.topic ~ c.topic_pattern
        order by f.seq
        returning consumer, source
      )
      insert into dispatch_count as d (consumer, source, instance, dispatched)
      select consumer, source, :instance, count(*)
      from dispatched
      group by consumer, source
      order by consumer, source
      on conflict (consumer, source, instance)
        do update set dispatched = d.dispatched + excluded.dispatched
      """;

  private RunEvents() {}

  /**
   * Writes the events in the caller's transaction; one that is there already stays as it is.
   *
   * @param lane the lane of the run's changes
   * @param instance whose totals count them
   */
  public static void add(
      Handle handle, String source, String lane, String instance, List<Changed> changes) {
    if (changes.isEmpty()) {
      return;
    }
    byte[][] bodies =
        changes.stream()
            .map(change -> change.body().getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    byte[][] hashes = new byte[bodies.length][];
    for (int i = 0; i < bodies.length; i++) {
      hashes[i] = sha256(bodies[i]);
    }
    handle
        .createUpdate(INSERT)
        .bind("source", source)
        .bind("lane", lane)
        .bind("instance", instance)
        .bind(
            "ids", Sql.array("text", changes.stream().map(Changed::eventId).toArray(String[]::new)))
        .bind(
            "topics",
            Sql.array("text", changes.stream().map(Changed::topic).toArray(String[]::new)))
        .bind("hashes", Sql.array("bytea", hashes))
        .bind("bodies", Sql.array("bytea", bodies))
        .execute();
  }

  private static byte[] sha256(byte[] body) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(body);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
