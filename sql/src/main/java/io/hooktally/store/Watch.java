package io.hooktally.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks once a second whether the owned server lives, until it is closed. Survives every error. */
final class Watch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final EmbeddedDatabase database;
  private final AtomicBoolean closed;

  Watch(EmbeddedDatabase database, AtomicBoolean closed) {
    this.database = database;
    this.closed = closed;
  }

  @Override
  public void run() {
    while (!closed.get()) {
      try {
        TimeUnit.SECONDS.sleep(1);
        database.ensureRunning();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("Could not look after PostgreSQL", e);
      }
    }
  }
}
