package io.hooktally.store.inbox;

import io.hooktally.store.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where events are stored: once per (source, event id), durably, before anybody is answered.
 * Thread-safe; every call blocks on the database.
 */
public final class Inbox {
  /** The consumer that conflicts are dispatched to. */
  public static final String REPLICA = "replica";

  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

  private final Jdbi jdbi;
  private final String instance;

  /**
   * An inbox on a database.
   *
   * @param jdbi on connections that give up on a server that does not answer, see {@code
   *     PoolOptions.inbox}: a call here may take as long as they wait
   * @param instance this process's name in {@code dispatch_count}
   */
  public Inbox(Jdbi jdbi, String instance) {
    this.jdbi = jdbi;
    this.instance = instance;
  }

  /** This process's name. */
  public String instance() {
    return instance;
  }

  /**
   * Stores a batch in one transaction: new events with payload and dispatch rows; deliveries of
   * known ones are counted, other bodies kept as conflicts. A batch that fails over its content is
   * split, so that a bad delivery answers for itself alone. Never throws for what the database does
   * or for what a delivery holds: the receipts say it.
   *
   * @return what became of each, in the order of the batch
   */
  public List<Receipt> store(List<Delivery> batch) {
    return batch.isEmpty() ? List.of() : store(batch, true);
  }

  private List<Receipt> store(List<Delivery> batch, boolean again) {
    try {
      return jdbi.inTransaction(handle -> new Batch(batch).write(handle, instance));
    } catch (RuntimeException e) {
      Failure failure = Failure.of(e);
      if (failure == Failure.DATA) {
        return batch.size() == 1 ? unstorable(batch.get(0), e) : split(batch);
      }
      if (failure == Failure.CONTENTION && again) {
        return store(batch, false);
      }
      LOG.warn("{} deliveries not stored: {}", batch.size(), Failure.describe(e));
      LOG.debug("Not stored", e);
      return Collections.nCopies(batch.size(), Receipt.UNAVAILABLE);
    }
  }

  private List<Receipt> split(List<Delivery> batch) {
    int half = batch.size() / 2;
    List<Receipt> receipts = new ArrayList<>(store(batch.subList(0, half), true));
    List<Delivery> rest = batch.subList(half, batch.size());
    receipts.addAll(
        receipts.contains(Receipt.UNAVAILABLE)
            ? Collections.nCopies(rest.size(), Receipt.UNAVAILABLE)
            : store(rest, true));
    return receipts;
  }

  private static List<Receipt> unstorable(Delivery delivery, Exception e) {
    LOG.error(
        "{} cannot be stored: {}. Its sender gets no 2xx; the change has to come by another way.",
        delivery,
        Failure.describe(e));
    return List.of(Receipt.UNSTORABLE);
  }

  /** The ledger's row of an event. */
  public Optional<ProcessedEvent> event(String source, String eventId) {
    return jdbi.withHandle(handle -> EventRows.find(handle, new EventKey(source, eventId)));
  }

  /** What came with an event; empty also when its partition has been dropped. */
  public Optional<Payload> payload(String source, String eventId) {
    return jdbi.withHandle(handle -> EventRows.payload(handle, new EventKey(source, eventId)));
  }

  /** The conflict that a dispatch row's {@code conflict_id} names. */
  public Optional<Conflict> conflict(long id) {
    return jdbi.withHandle(handle -> ConflictRows.find(handle, id));
  }

  /** The other bodies kept of an event, oldest first. */
  public List<Conflict> conflicts(String source, String eventId) {
    return jdbi.withHandle(handle -> ConflictRows.find(handle, new EventKey(source, eventId)));
  }

  /**
   * Other bodies under ids we have, the newest first.
   *
   * @param before only those with smaller numbers, to read on
   */
  public List<OtherBody> newestConflicts(String source, long before, int limit) {
    return jdbi.withHandle(handle -> ConflictRows.newest(handle, source, before, limit));
  }
}
