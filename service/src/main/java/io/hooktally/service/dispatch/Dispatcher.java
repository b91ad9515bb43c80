package io.hooktally.service.dispatch;

import io.hooktally.reconcile.source.SourceException;
import io.hooktally.reconcile.source.SourceUnavailableException;
import io.hooktally.service.dispatch.OutageGate.Outage;
import io.hooktally.store.Failure;
import io.hooktally.store.dispatch.Claimed;
import io.hooktally.store.dispatch.DispatchQueue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the events of one source to the replica: fills in keys, claims free keys, works on some of
 * them at once. Driven by its own thread after {@link #start}, or by hand with {@link #runOnce}.
 */
public final class Dispatcher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

  /** How many keys are in flight at once. */
  static final int CONCURRENCY = 8;

  // Longer than a read with its probe may take; a crash delays what was claimed by this much.
  private static final Duration CLAIM = Duration.ofSeconds(90);
  private static final int PER_KEY = 100;
  private static final long POLL_MILLIS = 250;
  private static final long PAUSE_AFTER_FAULT_MILLIS = 1000;

  private final DispatchQueue queue;
  private final Keyer keyer;
  private final Handover handover;
  private final OutageGate gate;
  private final Probe probe;
  private final InstantSource clock;
  private final ExecutorService workers;
  private final Semaphore free = new Semaphore(CONCURRENCY);
  private final Phaser inFlight = new Phaser(1);
  private final Semaphore wakeups = new Semaphore(0);
  private volatile boolean running = true;
  private volatile @Nullable Thread loop;
  private boolean faulty;

  Dispatcher(
      DispatchQueue queue,
      Keyer keyer,
      Handover handover,
      OutageGate gate,
      Probe probe,
      InstantSource clock) {
    this.queue = queue;
    this.keyer = keyer;
    this.handover = handover;
    this.gate = gate;
    this.probe = probe;
    this.clock = clock;
    this.workers =
        Executors.newFixedThreadPool(
            CONCURRENCY,
            work -> {
              Thread thread = new Thread(work, "dispatch " + queue.consumer());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Whether the other side answers; throws what tells why not. */
  interface Probe {
    void run() throws SourceException;
  }

  /** Starts the dispatcher's own thread. */
  public void start() {
    Thread thread = new Thread(this::run, "dispatcher " + queue.consumer());
    thread.setDaemon(true);
    loop = thread;
    thread.start();
  }

  /** Something was committed for this consumer: look at once instead of at the next poll. */
  public void wake() {
    if (wakeups.availablePermits() == 0) {
      wakeups.release();
    }
  }

  /** The queue this dispatcher serves, for health and reports. */
  public DispatchQueue queue() {
    return queue;
  }

  /** The outage that keeps events pending, if one goes on: since when and why. */
  public Optional<String> outage() {
    return gate.outage().map(outage -> outage.reason() + " (since " + outage.since() + ")");
  }

  /**
   * One round by hand: keys are filled in, what is due is claimed and handed over; returns when all
   * of it has ended.
   *
   * @return how many rows were looked at or handed over; 0: nothing to do now
   */
  public int runOnce() {
    int handled = round();
    inFlight.awaitAdvance(inFlight.arrive());
    return handled;
  }

  @Override
  public void close() {
    running = false;
    wake();
    Thread thread = loop;
    try {
      if (thread != null) {
        thread.join(TimeUnit.SECONDS.toMillis(5));
      }
      workers.shutdown();
      if (!workers.awaitTermination(5, TimeUnit.SECONDS)) {
        // A read that hangs: its claim ends by itself and the event is handed over again.
        workers.shutdownNow();
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
    try {
      keyer.release();
    } catch (RuntimeException e) {
      log.info("the keyer's lease was not given back, it ends by itself: {}", Failure.describe(e));
    }
  }

  private int round() {
    int keyed = keyer.runOnce();
    if (!open()) {
      return keyed;
    }
    int handled = 0;
    int keys = free.availablePermits();
    if (keys > 0) {
      for (List<Claimed> rows : queue.claim(clock.instant(), CLAIM, keys, PER_KEY)) {
        handled += rows.size();
        submit(rows);
      }
    }
    return keyed + handled;
  }

  // Whether there is no outage; a probe that is due is made here, before anything is claimed.
  private boolean open() {
    if (gate.outage().isEmpty()) {
      return true;
    }
    if (!gate.probeDue(clock.instant())) {
      return false;
    }
    try {
      probe.run();
    } catch (SourceUnavailableException e) {
      gate.close(clock.instant(), e.getMessage(), e.retryAfter());
      return false;
    } catch (SourceException e) {
      gate.close(clock.instant(), e.getMessage(), Optional.empty());
      return false;
    }
    Optional<Outage> over = gate.open();
    over.ifPresent(
        outage ->
            log.info("{} goes on: outage since {} is over", queue.consumer(), outage.since()));
    return true;
  }

  private void submit(List<Claimed> rows) {
    free.acquireUninterruptibly();
    inFlight.register();
    workers.execute(
        () -> {
          try {
            handover.run(rows);
          } catch (RuntimeException | Error e) {
            // The database is away, or worse: the claim ends by itself, the loop goes on.
            log.warn("hand-over to {} stopped: {}", queue.consumer(), Failure.describe(e));
          } finally {
            free.release();
            inFlight.arriveAndDeregister();
            wake();
          }
        });
  }

  private void run() {
    while (running) {
      long pause = POLL_MILLIS;
      try {
        pause = round() > 0 ? 0 : POLL_MILLIS;
        faulty = false;
      } catch (RuntimeException | Error e) {
        // Nothing may end this loop; what is wrong now may be right a second later.
        if (!faulty) {
          log.warn("dispatcher of {} waits: {}", queue.consumer(), Failure.describe(e));
        }
        faulty = true;
        pause = PAUSE_AFTER_FAULT_MILLIS;
      }
      try {
        if (wakeups.tryAcquire(pause, TimeUnit.MILLISECONDS)) {
          wakeups.drainPermits();
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
