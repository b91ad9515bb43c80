package io.hooktally.reconcile;

import io.hooktally.store.Lease;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease that is renewed in the background until it is closed. Its keeper also looks, once a
 * second, whether the run is to end, and interrupts the run's thread then. Thread-safe.
 */
final class HeldLease implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HeldLease.class);
  private static final long LOOK_MILLIS = 1000;

  private final Leases leases;
  // Held while the lease is renewed, given back or taken again.
  private final Object changing = new Object();
  private final Duration length;
  private volatile Lease lease;
  private volatile boolean held = true;
  private final ScheduledExecutorService keeper;
  private final ScheduledFuture<?> renewal;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean lost;
  private @Nullable Thread worker;
  private @Nullable RunStop stop;

  HeldLease(Leases leases, Lease lease, Duration length) {
    this.leases = leases;
    this.lease = lease;
    this.length = length;
    this.keeper =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "lease " + lease.name());
              thread.setDaemon(true);
              return thread;
            });
    long every = Math.max(1, length.toMillis() / 3);
    this.renewal = keeper.scheduleAtFixedRate(this::renew, every, every, TimeUnit.MILLISECONDS);
  }

  /** The lease, or the last one while it is let go. */
  Lease lease() {
    return lease;
  }

  /** Whether it is not let go. */
  boolean isHeld() {
    return held;
  }

  /** Gives the lease back for a while. */
  void letGo() {
    synchronized (changing) {
      held = false;
      leases.release(lease);
    }
  }

  /** Takes it again, with a new number; answers whether nobody else has it. */
  boolean takeAgain() {
    synchronized (changing) {
      leases
          .acquire(lease.name(), lease.holder(), length)
          .ifPresent(
              again -> {
                lease = again;
                held = true;
              });
      return held;
    }
  }

  /** From now on this thread is the run's: it is interrupted when the run is to end. */
  void watch(BooleanSupplier askedToCancel) {
    synchronized (this) {
      worker = Thread.currentThread();
      if (stop != null) {
        worker.interrupt();
      }
    }
    ScheduledFuture<?> unused =
        keeper.scheduleWithFixedDelay(
            () -> look(askedToCancel), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Ends the run at once; the first reason counts. */
  synchronized void stop(RunStop why) {
    if (stop == null) {
      stop = why;
      if (worker != null) {
        worker.interrupt();
      }
    }
  }

  /**
   * The thread is its own again, and can write how the run ended.
   *
   * @return why the run was to end; null: nobody asked for it. An interrupt of ours is cleared
   */
  synchronized @Nullable RunStop unwatch() {
    worker = null;
    if (stop != null) {
      boolean unused = Thread.interrupted();
    }
    return stop;
  }

  /**
   * Spares work that could not be written any more, or is no longer wanted; what protects is the
   * check in each write.
   */
  void ensure() {
    if (lost) {
      throw new LeaseLostException(lease);
    }
    synchronized (this) {
      if (worker != null && stop != null) {
        throw new RunStoppedException();
      }
    }
  }

  /** Waits until the lease has been given back, at most so long. */
  void awaitClosed(Duration longest) throws InterruptedException {
    if (!closed.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
      log.warn("lease {} was not given back within {}", lease.name(), longest);
    }
  }

  private void look(BooleanSupplier askedToCancel) {
    try {
      if (askedToCancel.getAsBoolean()) {
        stop(RunStop.CANCELLED);
      }
    } catch (RuntimeException e) {
      log.debug("lease {}: not known whether its run is to end", lease.name(), e);
    }
  }

  private void renew() {
    try {
      synchronized (changing) {
        if (held) {
          lost |= !leases.renew(lease, length);
        }
      }
    } catch (RuntimeException e) {
      log.warn(
          "lease {} could not be renewed, tried again: {}", lease.name(), e.getClass().getName());
    }
  }

  @Override
  public void close() {
    renewal.cancel(false);
    keeper.shutdownNow();
    try {
      synchronized (changing) {
        if (held && !lost) {
          held = false;
          leases.release(lease);
        }
      }
    } finally {
      closed.countDown();
    }
  }
}
