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

  public void set(Instant to) {
    now = to;
  }

  public synchronized void advance(Duration by) {
    now = now.plus(by);
  }
}
