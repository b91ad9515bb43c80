package io.hooktally.reconcile;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The runs that this process has begun and not ended. Thread-safe. */
final class ActiveRuns {
  /** Enough to end a request and to write how the run ended. */
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  private final Map<Long, HeldLease> leases = new HashMap<>();
  private boolean stopping;

  synchronized void add(long id, HeldLease lease) {
    if (stopping) {
      lease.stop(RunStop.SERVICE_STOPPED);
    }
    leases.put(id, lease);
  }

  /** Does the rest of a run; it is at work no more afterwards. */
  <T> T whileThere(long id, Supplier<T> rest) {
    try {
      return rest.get();
    } finally {
      synchronized (this) {
        leases.remove(id);
      }
    }
  }

  synchronized void stop(long id, RunStop why) {
    HeldLease lease = leases.get(id);
    if (lease != null) {
      lease.stop(why);
    }
  }

  void stopAll() throws InterruptedException {
    List<HeldLease> all;
    synchronized (this) {
      stopping = true;
      all = List.copyOf(leases.values());
    }
    all.forEach(lease -> lease.stop(RunStop.SERVICE_STOPPED));
    for (HeldLease lease : all) {
      lease.awaitClosed(LONGEST_END);
    }
  }
}
