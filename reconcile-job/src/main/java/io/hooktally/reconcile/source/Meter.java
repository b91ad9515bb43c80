package io.hooktally.reconcile.source;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts what one client asks of its source. Thread-safe. */
final class Meter {
  private final LongAdder requests = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder throttledNanos = new LongAdder();

  void request() {
    requests.increment();
  }

  void bytes(long read) {
    bytes.add(read);
  }

  void throttled(long nanos) {
    throttledNanos.add(nanos);
  }

  SourceUsage usage() {
    return new SourceUsage(requests.sum(), bytes.sum(), Duration.ofNanos(throttledNanos.sum()));
  }
}
