package io.hooktally.reconcile;

import java.time.Duration;

/** How a run waits. Handed in, so that tests move time by hand. */
@FunctionalInterface
public interface Pause {
  /** Waits for so long. */
  void pause(Duration length) throws InterruptedException;

  /** By the system's clock. */
  static Pause sleeping() {
    return length -> Thread.sleep(length.toMillis(), length.toNanosPart() % 1_000_000);
  }
}
