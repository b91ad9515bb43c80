package io.hooktally.service.receive;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of bodies may be in memory at once, whoever sends them. Thread-safe. */
final class ByteBudget {
  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  ByteBudget(long limit) {
    this.limit = limit;
  }

  boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= limit) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void give(long bytes) {
    taken.addAndGet(-bytes);
  }

  long taken() {
    return taken.get();
  }
}
