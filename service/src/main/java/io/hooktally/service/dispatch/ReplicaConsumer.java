package io.hooktally.service.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.ApplyMode;
import io.hooktally.reconcile.source.EntityConfig;
import io.hooktally.reconcile.source.EntityMapping;
import io.hooktally.reconcile.source.EntityRef;
import io.hooktally.reconcile.source.InvalidEventException;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.store.InvalidJsonException;
import io.hooktally.store.Json;
import io.hooktally.store.dispatch.Bodies;
import io.hooktally.store.dispatch.ClaimLostException;
import io.hooktally.store.dispatch.Claimed;
import io.hooktally.store.dispatch.DispatchQueue;
import io.hooktally.store.dispatch.EventFacts;
import io.hooktally.store.replica.Applied;
import io.hooktally.store.replica.Change;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.replica.ReadTicket;
import io.hooktally.store.replica.Replica;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The built-in consumer: brings events of one source into the replica, by their payload or, where
 * an event is only the trigger, by a read of the API. What it writes of an event, and the event's
 * end, are one transaction; none is open while the source is read. Thread-safe.
 */
final class ReplicaConsumer {
  // Each tie needs a payload that overtook a read: more in a row is no coincidence any more.
  private static final int MOST_READS = 5;
  // How many known entities are asked for before none is believed to be there.
  private static final int KNOWN = 3;

  private final SourceConfig source;
  private final EntityMapping mapping;
  private final SourceClient client;
  private final Jdbi jdbi;
  private final DispatchQueue queue;
  private final Replica replica;
  private final InstantSource clock;

  ReplicaConsumer(
      SourceConfig source,
      EntityMapping mapping,
      SourceClient client,
      Jdbi jdbi,
      DispatchQueue queue,
      InstantSource clock) {
    this.source = source;
    this.mapping = mapping;
    this.client = client;
    this.jdbi = jdbi;
    this.queue = queue;
    this.replica = new Replica(jdbi);
    this.clock = clock;
  }

  /**
   * Whether the rows of one key can be served together, by one read. Payloads are applied one by
   * one.
   */
  boolean collapses(Claimed head) {
    return head.conflictId() == 0
        && (head.waitedForLag() || config(head).apply() == ApplyMode.REREAD);
  }

  /**
   * Hands over rows of one key; each is done or waits for the source's lag when this returns.
   *
   * @param rows one row, or several that collapse
   * @throws io.hooktally.reconcile.source.SourceException when the source could not be read
   * @throws InvalidEventException when the body is not what the configuration says
   * @throws ClaimLostException when another instance has the rows now
   */
  void handle(List<Claimed> rows) {
    Claimed head = rows.get(0);
    if (head.conflictId() > 0) {
      conflict(head);
    } else if (head.isReadOnly() || collapses(head)) {
      reread(rows, deleteTopic(rows));
    } else {
      payload(head);
    }
  }

  private void payload(Claimed row) {
    EventFacts facts = queue.facts(row);
    JsonNode body = Json.parse(bodies(row).event());
    EntityRef ref = mapping.ref(facts.topic(), body);
    EntityConfig config = config(row);
    if (ref.deleteTopic()) {
      reread(List.of(row), true);
      return;
    }
    JsonNode entity = mapping.entity(config, body);
    Change change =
        new Change.Payload(
            key(row),
            mapping.modified(config, entity),
            entity,
            row.lane(),
            row.eventId(),
            client.now());
    Applied applied =
        jdbi.inTransaction(
            handle -> {
              Applied result = replica.apply(handle, change);
              if (result != Applied.TIE) {
                queue.done(handle, List.of(row));
              }
              return result;
            });
    if (applied == Applied.TIE) {
      reread(List.of(row), false);
    }
  }

  // Ids are not signed: of two bodies under one id neither is believed, and both entities are read.
  private void conflict(Claimed row) {
    Set<EntityKey> keys = new LinkedHashSet<>(List.of(key(row)));
    Bodies bodies = bodies(row);
    EventFacts facts = queue.facts(row);
    keyOf(facts.topic(), () -> Optional.of(bodies.event()), keys);
    keyOf(facts.conflictTopic(), bodies::conflict, keys);
    for (EntityKey key : keys) {
      read(key, row);
    }
    jdbi.useTransaction(handle -> queue.done(handle, List.of(row)));
  }

  private void keyOf(@Nullable String topic, Supplier<Optional<byte[]>> body, Set<EntityKey> keys) {
    try {
      body.get()
          .map(bytes -> mapping.ref(topic, Json.parse(bytes)))
          .ifPresent(
              ref -> keys.add(new EntityKey(source.name(), ref.entityType(), ref.entityId())));
    } catch (InvalidJsonException | InvalidEventException e) {
      // The other body names the row's key; from this one there is nothing to read.
    }
  }

  /** Reads one entity into the replica, whatever it was read for. */
  private void read(EntityKey key, Claimed row) {
    for (int reads = 0; reads < MOST_READS; reads++) {
      ReadTicket ticket = replica.beginRead(key);
      ReadResult result = client.read(key.entityType(), key.entityId());
      believe(result, key);
      if (replica.apply(change(ticket, result, row)) != Applied.TIE) {
        return;
      }
    }
    throw new TieException(key);
  }

  private void reread(List<Claimed> rows, boolean deleteTopic) {
    Claimed head = rows.get(0);
    for (int reads = 0; reads < MOST_READS; reads++) {
      ReadTicket ticket = replica.beginRead(key(head));
      ReadResult result = client.read(head.entityType(), ticket.key().entityId());
      if (deleteTopic || head.waitedForLag()) {
        believe(result, ticket.key());
      }
      boolean settled =
          jdbi.inTransaction(handle -> settle(handle, rows, deleteTopic, ticket, result));
      if (settled) {
        return;
      }
    }
    throw new TieException(key(head));
  }

  // A wrong tenant or a broken route makes every id 404: before an entity we have is taken for
  // deleted, another one we have must be found.
  private void believe(ReadResult result, EntityKey key) {
    if (!(result instanceof ReadResult.Gone)
        || replica.find(key).map(Entity::deleted).orElse(true)) {
      return;
    }
    List<String> others = replica.others(key, KNOWN);
    for (String other : others) {
      if (client.read(key.entityType(), other) instanceof ReadResult.Found) {
        return;
      }
    }
    if (!others.isEmpty()) {
      throw client.everythingGone(key.entityType());
    }
  }

  // False: the version rule wants another read.
  private boolean settle(
      Handle handle,
      List<Claimed> rows,
      boolean deleteTopic,
      ReadTicket ticket,
      ReadResult result) {
    Claimed head = rows.get(0);
    boolean waited = head.waitedForLag();
    if (result instanceof ReadResult.Gone && !deleteTopic && !waited) {
      // The source may not show yet what it has announced: ask again before believing in a
      // deletion.
      wait(handle, rows);
      return true;
    }
    if (replica.apply(handle, change(ticket, result, head)) == Applied.TIE) {
      return false;
    }
    Entity entity = replica.lock(handle, ticket.key()).orElseThrow();
    List<Claimed> unchanged =
        rows.stream()
            .filter(row -> !waited && entity.changedAt().isBefore(row.receivedAt()))
            .toList();
    wait(handle, unchanged);
    queue.done(handle, rows.stream().filter(row -> !unchanged.contains(row)).toList());
    return true;
  }

  private void wait(Handle handle, List<Claimed> rows) {
    for (Claimed row : rows) {
      queue.waitForLag(handle, row, clock.instant().plus(source.lag()));
    }
  }

  private static Change change(ReadTicket ticket, ReadResult result, Claimed row) {
    if (result instanceof ReadResult.Found found) {
      return new Change.Read(ticket, found.modified(), found.body(), row.lane(), row.eventId());
    }
    return new Change.Gone(ticket, row.lane(), row.eventId());
  }

  private boolean deleteTopic(List<Claimed> rows) {
    if (config(rows.get(0)).deleteTopics().isEmpty()) {
      return false;
    }
    return rows.stream().anyMatch(this::isDelete);
  }

  private boolean isDelete(Claimed row) {
    String topic = queue.facts(row).topic();
    return mapping.isDelete(
        topic == null && mapping.readsTopics()
            ? mapping.topic(null, Json.parse(bodies(row).event()))
            : topic);
  }

  private EntityConfig config(Claimed row) {
    return source.entity(row.entityType());
  }

  private EntityKey key(Claimed row) {
    return OrderingKey.entity(source.name(), row);
  }

  private Bodies bodies(Claimed row) {
    return queue.bodies(row).orElseThrow(() -> new ClaimLostException(row));
  }
}
