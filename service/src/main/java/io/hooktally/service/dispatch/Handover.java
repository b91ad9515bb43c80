package io.hooktally.service.dispatch;

import io.hooktally.reconcile.source.InvalidEventException;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceException;
import io.hooktally.reconcile.source.SourceUnavailableException;
import io.hooktally.store.Failure;
import io.hooktally.store.InvalidJsonException;
import io.hooktally.store.dispatch.ClaimLostException;
import io.hooktally.store.dispatch.Claimed;
import io.hooktally.store.dispatch.DispatchQueue;
import io.hooktally.store.dispatch.Parked;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands rows of one key to the consumer and decides what a failure means: an outage is nobody's
 * poison and counts no attempt; what would fail again the same way is tried a few times and then
 * parked. Thread-safe.
 */
final class Handover {
  private static final Logger log = LoggerFactory.getLogger(Handover.class);

  private final DispatchQueue queue;
  private final ReplicaConsumer consumer;
  private final SourceClient client;
  private final OutageGate gate;
  private final Retries retries;
  private final InstantSource clock;
  private final RandomGenerator random;

  Handover(
      DispatchQueue queue,
      ReplicaConsumer consumer,
      SourceClient client,
      OutageGate gate,
      Retries retries,
      InstantSource clock,
      RandomGenerator random) {
    this.queue = queue;
    this.consumer = consumer;
    this.client = client;
    this.gate = gate;
    this.retries = retries;
    this.clock = clock;
    this.random = random;
  }

  /** Hands over claimed rows of one key, in order; never throws what concerns one event alone. */
  void run(List<Claimed> rows) {
    if (consumer.collapses(rows.get(0))) {
      together(rows);
      return;
    }
    for (int i = 0; i < rows.size(); i++) {
      if (!together(rows.subList(i, i + 1))) {
        // Nothing overtakes an event of its key that is being retried or waits for an outage's end.
        release(rows.subList(i + 1, rows.size()), "an earlier event of its key is not done");
        return;
      }
    }
  }

  // True: what comes behind may follow.
  private boolean together(List<Claimed> rows) {
    Claimed head = rows.get(0);
    try {
      consumer.handle(rows);
      return true;
    } catch (SourceUnavailableException e) {
      if (isOutage(e, head)) {
        outage(e.getMessage(), e.retryAfter());
        release(rows, e.getMessage());
      } else {
        failed(rows, e.getMessage());
      }
    } catch (SourceException | TieException e) {
      failed(rows, String.valueOf(e.getMessage()));
    } catch (InvalidEventException | InvalidJsonException e) {
      boolean holds = false;
      for (Claimed row : rows) {
        holds |= park(row, Parked.Kind.INVALID, String.valueOf(e.getMessage()));
      }
      return !holds;
    } catch (ClaimLostException e) {
      log.info("{}", e.getMessage());
    } catch (RuntimeException e) {
      if (Failure.of(e) == Failure.DATA) {
        // The event's own, or our own fault: it would fail again the same way.
        log.warn("event {} failed: {}", head.eventId(), Failure.describe(e));
        failed(rows, Failure.describe(e));
      } else {
        throw e;
      }
    }
    return false;
  }

  // A server error or a time-out may be one entity's; then the list's first page still answers.
  private boolean isOutage(SourceUnavailableException e, Claimed head) {
    return switch (e.kind()) {
      case SERVER_ERROR, TIMEOUT -> !probe(head.entityType());
      case INTERRUPTED, UNREACHABLE, DENIED, THROTTLED, NOT_CONFIGURED, OPEN_CIRCUIT -> true;
    };
  }

  private boolean probe(String entityType) {
    try {
      client.probe(entityType);
      return true;
    } catch (SourceException e) {
      return false;
    }
  }

  private void outage(String reason, Optional<Duration> retryAfter) {
    if (gate.close(clock.instant(), reason, retryAfter)) {
      log.warn("{} waits, events stay pending: {}", queue.consumer(), reason);
    }
  }

  private void failed(List<Claimed> rows, String error) {
    // A burst fails together, but one read failed: it is the head's attempt alone.
    Claimed head = rows.get(0);
    int next = head.attempts() + 2;
    if (next > retries.attempts()) {
      park(head, Parked.Kind.POISON, error);
    } else {
      queue.retry(head, clock.instant().plus(retries.before(next, random)), error);
    }
    release(rows.subList(1, rows.size()), error);
  }

  // True: later rows of its key are held from now on.
  private boolean park(Claimed row, Parked.Kind kind, String error) {
    boolean holds = queue.park(row, kind, error);
    log.warn("event {} parked as {}: {}", row.eventId(), kind.text(), error);
    return holds;
  }

  private void release(List<Claimed> rows, String why) {
    rows.forEach(row -> queue.release(row, why));
  }
}
