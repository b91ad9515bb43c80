package io.hooktally.service.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.EntityMapping;
import io.hooktally.reconcile.source.EntityRef;
import io.hooktally.reconcile.source.InvalidEventException;
import io.hooktally.store.Failure;
import io.hooktally.store.InvalidJsonException;
import io.hooktally.store.Json;
import io.hooktally.store.Lease;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import io.hooktally.store.dispatch.DispatchQueue;
import io.hooktally.store.dispatch.Keyed;
import io.hooktally.store.dispatch.Unkeyed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what came in and writes the ordering keys down, in sequence order, one instance at a time
 * per consumer. The receiver does not parse: this is the first look into a body. Used by one
 * thread.
 */
final class Keyer {
  private static final Logger log = LoggerFactory.getLogger(Keyer.class);
  private static final int ROWS = 200;
  private static final Duration LEASE = Duration.ofSeconds(15);

  private final DispatchQueue queue;
  private final EntityMapping mapping;
  private final Leases leases;
  private final String instance;
  private final InstantSource clock;
  private @Nullable Lease lease;
  private Instant renewed = Instant.MIN;

  Keyer(
      DispatchQueue queue,
      EntityMapping mapping,
      Leases leases,
      String instance,
      InstantSource clock) {
    this.queue = queue;
    this.mapping = mapping;
    this.leases = leases;
    this.instance = instance;
    this.clock = clock;
  }

  /** Fills in the next keys; answers how many rows were looked at, 0 also where another does it. */
  int runOnce() {
    Lease held = hold();
    if (held == null) {
      return 0;
    }
    List<Unkeyed> rows = queue.unkeyed(ROWS);
    if (rows.isEmpty()) {
      return 0;
    }
    List<Keyed> keyed = new ArrayList<>(rows.size());
    for (Unkeyed row : rows) {
      keyed.add(read(row));
    }
    try {
      queue.key(held, keyed);
    } catch (LeaseLostException e) {
      // Another instance fills in the keys now; it begins where the database stands.
      lease = null;
      return 0;
    }
    return rows.size();
  }

  /** Gives the lease back, so that another instance need not wait for its end. */
  void release() {
    if (lease != null) {
      leases.release(lease);
      lease = null;
    }
  }

  private @Nullable Lease hold() {
    Instant now = clock.instant();
    if (lease == null) {
      lease =
          leases
              .acquire(
                  "key:" + queue.consumer().name() + ":" + queue.consumer().source(),
                  instance,
                  LEASE)
              .orElse(null);
      renewed = now;
    } else if (Duration.between(renewed, now).compareTo(LEASE.dividedBy(3)) > 0) {
      lease = leases.renew(lease, LEASE) ? lease : null;
      renewed = now;
    }
    return lease;
  }

  // One row answers for itself alone, whatever its body makes of the reader.
  private Keyed read(Unkeyed row) {
    try {
      try {
        byte[] conflict = row.bodies().conflict().orElse(null);
        if (conflict == null) {
          return keyed(row.id(), row.topic(), row.bodies().event());
        }
        return keyed(row.id(), row.conflictTopic(), conflict);
      } catch (InvalidJsonException | InvalidEventException e) {
        // Of two bodies under one id, what can be read names the entity.
        return keyed(row.id(), row.topic(), row.bodies().event());
      }
    } catch (InvalidJsonException | InvalidEventException e) {
      return Keyed.invalid(row.id(), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      log.warn("dispatch row {} cannot be read: {}", row.id(), Failure.describe(e));
      return Keyed.invalid(row.id(), "cannot be read: " + Failure.describe(e));
    }
  }

  private Keyed keyed(long id, @Nullable String topic, byte[] body) {
    JsonNode tree = Json.parse(body);
    // Whom a topic in a header concerns, the inbox has decided.
    if (topic == null
        && mapping.readsTopics()
        && mapping.typeOf(mapping.topic(null, tree)).isEmpty()) {
      return Keyed.unwanted(id);
    }
    EntityRef ref = mapping.ref(topic, tree);
    return Keyed.entity(id, ref.entityType(), OrderingKey.of(ref));
  }
}
