package io.hooktally.reconcile;

import io.hooktally.store.Lease;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease that is renewed in the background until it is closed. */
final class HeldLease implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HeldLease.class);

  private final Leases leases;
  private final Lease lease;
  private final ScheduledExecutorService thread;
  private final ScheduledFuture<?> renewal;
  private volatile boolean lost;

  HeldLease(Leases leases, Lease lease, Duration length) {
    this.leases = leases;
    this.lease = lease;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread renewer = new Thread(work, "lease " + lease.name());
              renewer.setDaemon(true);
              return renewer;
            });
    long every = Math.max(1, length.toMillis() / 3);
    this.renewal =
        thread.scheduleAtFixedRate(() -> renew(length), every, every, TimeUnit.MILLISECONDS);
  }

  Lease lease() {
    return lease;
  }

  /** Spares work that could not be written any more; what protects is the check in each write. */
  void ensure() {
    if (lost) {
      throw new LeaseLostException(lease);
    }
  }

  private void renew(Duration length) {
    try {
      lost |= !leases.renew(lease, length);
    } catch (RuntimeException e) {
      log.warn(
          "lease {} could not be renewed, tried again: {}", lease.name(), e.getClass().getName());
    }
  }

  @Override
  public void close() {
    renewal.cancel(false);
    thread.shutdown();
    if (!lost) {
      leases.release(lease);
    }
  }
}
