package io.hooktally.store;

import java.time.Duration;

/** The wait between two looks at something outside that cannot tell us when it is ready. */
final class Pause {
  private static final Duration SHORT = Duration.ofMillis(50);

  private Pause() {}

  /** Waits 50 ms. */
  static void shortly() {
    try {
      Thread.sleep(SHORT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while waiting for PostgreSQL", e);
    }
  }
}
