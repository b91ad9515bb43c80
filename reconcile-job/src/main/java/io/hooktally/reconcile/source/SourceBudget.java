package io.hooktally.reconcile.source;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When requests of one source may be sent, whoever makes them in this process: so many at once, so
 * many a second, none while the source wants to be left alone; and of those who wait, the most
 * urgent first, then the one who waits longest. Thread-safe.
 *
 * <p>Waits go by a clock that only runs forward, in nanoseconds; the time of day plays no part.
 */
final class SourceBudget {
  private record Turn(Priority priority, long number) {}

  private final int concurrency;
  private final @Nullable RateLimiter pace;
  private final Backoff backoff;
  private final LongSupplier nanos;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Turn> waiting =
      new PriorityQueue<>(Comparator.comparing(Turn::priority).thenComparing(Turn::number));
  private long turns;
  private int inFlight;
  private long heldUntil;
  private int holdsInARow;
  // A place in the pace that was reserved, and that whoever is first by then takes.
  private boolean reserved;
  private long reservedFor;

  SourceBudget(String source, ApiConfig api, LongSupplier nanos) {
    this.concurrency = api.concurrency();
    this.pace = pace(source, api.requestsPerSecond(), nanos);
    this.backoff = new Backoff(api.backoff(), api.maxBackoff(), ThreadLocalRandom.current());
    this.nanos = nanos;
    this.heldUntil = nanos.getAsLong();
  }

  private static @Nullable RateLimiter pace(String source, double perSecond, LongSupplier nanos) {
    if (perSecond <= 0) {
      return null;
    }
    RateLimiterConfig config =
        RateLimiterConfig.custom()
            .limitForPeriod(1)
            .limitRefreshPeriod(Duration.ofNanos((long) Math.ceil(1e9 / perSecond)))
            .timeoutDuration(Duration.ofDays(1))
            .build();
    return RateLimiter.of(source, config, nanos::getAsLong);
  }

  /**
   * Waits for a turn. Each turn that was given must be {@linkplain #leave given back}.
   *
   * @return nothing where a turn was given; else for how long the source wants to be left alone,
   *     longer than the asker's patience
   */
  Optional<Duration> enter(Asker asker) throws InterruptedException {
    lock.lockInterruptibly();
    Turn turn = new Turn(asker.priority(), turns++);
    try {
      waiting.add(turn);
      while (true) {
        long held = heldUntil - nanos.getAsLong();
        if (held > asker.patience().toNanos()) {
          return Optional.of(Duration.ofNanos(held));
        }
        boolean first = turn.equals(waiting.peek()) && inFlight < concurrency;
        long wait = first ? Math.max(held, paced()) : held;
        if (first && wait <= 0) {
          reserved = false;
          inFlight++;
          return Optional.empty();
        }
        if (wait <= 0) {
          changed.await();
          continue;
        }
        // For a hold or the pace: this is throttling; waiting for others' requests to end is not.
        long start = nanos.getAsLong();
        long unused = changed.awaitNanos(wait);
        asker.meter().throttled(nanos.getAsLong() - start);
      }
    } finally {
      waiting.remove(turn);
      changed.signalAll();
      lock.unlock();
    }
  }

  // How long until the pace lets the next one through.
  private long paced() {
    if (pace == null) {
      return 0;
    }
    if (!reserved) {
      reservedFor = nanos.getAsLong() + Math.max(0, pace.reservePermission());
      reserved = true;
    }
    return reservedFor - nanos.getAsLong();
  }

  /** Gives a turn back once its request is over. */
  void leave() {
    locked(() -> inFlight--);
  }

  /** The source answered: the next hold is a first one again. */
  void answered() {
    locked(
        () -> {
          if (heldUntil - nanos.getAsLong() <= 0) {
            holdsInARow = 0;
          }
        });
  }

  /**
   * The source refuses to be asked so often: nobody asks until the time it tells is over, or a
   * backoff that doubles from one refusal to the next; within the configured bounds.
   */
  void hold(@Nullable Duration told) {
    locked(
        () -> {
          if (heldUntil - nanos.getAsLong() <= 0) {
            holdsInARow++;
          }
          holdFor(backoff.before(Math.max(1, holdsInARow), told));
        });
  }

  /** The source says that its limit is used up until then: nobody asks until it is over. */
  void usedUp(Duration reset) {
    locked(() -> holdFor(reset.compareTo(backoff.most()) > 0 ? backoff.most() : reset));
  }

  private void holdFor(Duration length) {
    long until = nanos.getAsLong() + length.toNanos();
    heldUntil = until - heldUntil > 0 ? until : heldUntil;
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many wait for their turn. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }
}
