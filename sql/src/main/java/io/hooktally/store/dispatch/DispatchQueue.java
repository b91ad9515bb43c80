package io.hooktally.store.dispatch;

import io.hooktally.store.Lease;
import io.hooktally.store.Leases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The way from the inbox to one consumer: rows get their keys in the order they came, are claimed
 * per key, and end as done or parked. Rows are claimed by state, never by a last number seen.
 * Thread-safe; methods without a {@link Handle} are transactions of their own.
 */
public final class DispatchQueue {
  // How much of bodies one look at unkeyed rows may bring into memory.
  private static final long MOST_BYTES = 8L << 20;

  private final Jdbi jdbi;
  private final Leases leases;
  private final ConsumerRef consumer;
  private final String instance;

  /**
   * The queue of one consumer.
   *
   * @param instance this process, for the totals and for people; unique among running processes
   */
  public DispatchQueue(Jdbi jdbi, ConsumerRef consumer, String instance) {
    this.jdbi = jdbi;
    this.leases = new Leases(jdbi);
    this.consumer = consumer;
    this.instance = instance;
  }

  /** Whose queue this is. */
  public ConsumerRef consumer() {
    return consumer;
  }

  /** The next rows without a key, in sequence order; at most 8 MiB of bodies, or one row. */
  public List<Unkeyed> unkeyed(int limit) {
    return jdbi.withHandle(handle -> DispatchRows.unkeyed(handle, consumer, limit, MOST_BYTES));
  }

  /**
   * Writes down what the bodies said: keys are filled in, what cannot be read is parked.
   *
   * @param lease of the one instance that fills in keys
   * @throws io.hooktally.store.LeaseLostException when another instance does so now
   */
  public void key(Lease lease, Collection<Keyed> keyed) {
    jdbi.useTransaction(
        handle -> {
          leases.check(handle, lease);
          DispatchRows.key(handle, keyed.stream().filter(row -> row.key() != null).toList());
          for (Keyed row : keyed) {
            String invalid = row.invalid();
            if (invalid != null) {
              ParkedRows.park(handle, row.id(), Parked.Kind.INVALID, 0, invalid);
              DispatchRows.deleteUnkeyed(handle, row.id());
            } else if (row.isUnwanted() && DispatchRows.deleteUnkeyed(handle, row.id())) {
              DispatchCounts.done(handle, consumer, instance, 1);
            }
          }
        });
  }

  /**
   * Claims free keys: for each its first row and what follows it in the same lane, in order. Of a
   * key nothing else can be claimed until these are given back, done or parked, or the claim ends.
   * Nothing is claimed while the consumer is paused.
   *
   * @param now the service's clock, for retries that are due
   * @param length how long the claim holds, by the database's clock
   * @param keys how many keys at most
   * @param perKey how many rows of one key at most
   * @return a list per key
   */
  public List<List<Claimed>> claim(Instant now, Duration length, int keys, int perKey) {
    return jdbi.inTransaction(
        handle -> {
          Claims.lock(handle, consumer);
          List<List<Claimed>> claims = new ArrayList<>();
          for (Claimed head : Claims.heads(handle, consumer, instance, now, length, keys)) {
            List<Claimed> claim = new ArrayList<>(List.of(head));
            if (head.conflictId() == 0 && perKey > 1) {
              List<Claimed> followers =
                  Claims.followers(handle, consumer, head, instance, now, length, perKey - 1);
              followers.stream().sorted(Comparator.comparingLong(Claimed::id)).forEach(claim::add);
            }
            claims.add(List.copyOf(claim));
          }
          return claims;
        });
  }

  /** What was delivered under the event's id; empty when the payload has been expired. */
  public Optional<Bodies> bodies(Claimed claimed) {
    return jdbi.withHandle(handle -> DispatchRows.bodies(handle, claimed.id()));
  }

  /** The topic and ledger sequence of a claimed event. */
  public EventFacts facts(Claimed claimed) {
    return jdbi.withHandle(handle -> DispatchRows.facts(handle, claimed.id()))
        .orElseThrow(() -> new ClaimLostException(claimed));
  }

  /**
   * Ends claimed rows as handed over, in the caller's transaction.
   *
   * @throws ClaimLostException when a claim was lost; the transaction must roll back
   */
  public void done(Handle handle, List<Claimed> claimed) {
    for (Claimed row : claimed) {
      if (!DispatchRows.delete(handle, row)) {
        throw new ClaimLostException(row);
      }
    }
    if (!claimed.isEmpty()) {
      DispatchCounts.done(handle, consumer, instance, claimed.size());
    }
  }

  /** Gives a row back untouched: what stopped it was not its fault. Lost claims are left alone. */
  public void release(Claimed claimed, String why) {
    giveBack(claimed, claimed.attempts(), null, claimed.waitedForLag(), why);
  }

  /** Counts a failed attempt; the row is handed over again from {@code dueAt} on. */
  public void retry(Claimed claimed, Instant dueAt, String error) {
    giveBack(claimed, claimed.attempts() + 1, dueAt, claimed.waitedForLag(), error);
  }

  /**
   * The source may lag behind its own webhook: it is read once more from {@code dueAt} on, and
   * until then the key is free. In the caller's transaction.
   *
   * @throws ClaimLostException when the claim was lost; the transaction must roll back
   */
  public void waitForLag(Handle handle, Claimed claimed, Instant dueAt) {
    if (!DispatchRows.giveBack(handle, claimed, claimed.attempts(), dueAt, true, null)) {
      throw new ClaimLostException(claimed);
    }
  }

  /**
   * Takes a row out of the way, whole.
   *
   * @return whether later rows of its key are held from now on
   * @throws ClaimLostException when the claim was lost; nothing was written
   */
  public boolean park(Claimed claimed, Parked.Kind kind, String error) {
    return jdbi.inTransaction(
        handle -> {
          int attempts = claimed.attempts() + (kind == Parked.Kind.POISON ? 1 : 0);
          ParkedRows.park(handle, claimed.id(), kind, attempts, error);
          if (!DispatchRows.delete(handle, claimed)) {
            throw new ClaimLostException(claimed);
          }
          return ConsumerRows.holdsKey(handle, consumer);
        });
  }

  /** Parked events in the order they were parked. */
  public List<Parked> parked(long afterId, int limit) {
    return jdbi.withHandle(
        handle -> ParkedRows.list(handle, ParkedFilter.of(consumer), afterId, limit));
  }

  /** How many rows are still to be handed over, waiting, held and claimed ones too. */
  public long pending() {
    return jdbi.withHandle(handle -> DispatchRows.pending(handle, consumer));
  }

  /** The sum that must hold, all parts seen at the same moment. */
  public DispatchSums sums() {
    return jdbi.withHandle(handle -> DispatchCounts.sums(handle, consumer));
  }

  private void giveBack(
      Claimed claimed, int attempts, @Nullable Instant dueAt, boolean waiting, String error) {
    jdbi.useHandle(
        handle -> DispatchRows.giveBack(handle, claimed, attempts, dueAt, waiting, error));
  }
}
