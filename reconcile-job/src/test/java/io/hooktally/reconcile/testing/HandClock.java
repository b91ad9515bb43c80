package io.hooktally.reconcile.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands until it is moved. */
public final class HandClock implements InstantSource {
  private volatile Instant now;

  public HandClock(Instant now) {
    this.now = now;
  }

  @Override
  public Instant instant() {
    return now;
  }

  /**
   * For what takes {@link System#nanoTime} elsewhere and waits by it: time that runs, so that waits
   * end, and that moves on with this clock besides.
   */
  public long nanos() {
    Instant at = now;
    return System.nanoTime() + at.getEpochSecond() * 1_000_000_000 + at.getNano();
  }

  public void set(Instant to) {
    now = to;
  }

  public synchronized void advance(Duration by) {
    now = now.plus(by);
  }
}
