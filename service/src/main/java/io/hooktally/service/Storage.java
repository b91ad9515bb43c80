package io.hooktally.service;

import io.hooktally.store.Database;
import io.hooktally.store.DatabaseAddress;
import io.hooktally.store.DatabaseConfig;
import io.hooktally.store.EmbeddedDatabase;
import io.hooktally.store.Migrations;
import io.hooktally.store.PoolOptions;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The database that a configuration names, open, migrated and fit to be a store of record. An
 * embedded one is started, or joined when another process of ours runs it; it is stopped only by
 * the one that started it.
 */
public final class Storage implements AutoCloseable {
  private final @Nullable EmbeddedDatabase embedded;
  private final Database inbox;
  private final Database work;
  private volatile @Nullable AutoCloseable beforeExit;

  private Storage(@Nullable EmbeddedDatabase embedded, Database inbox, Database work) {
    this.embedded = embedded;
    this.inbox = inbox;
    this.work = work;
  }

  /**
   * Opens it for the server.
   *
   * @throws io.hooktally.store.StoreException when it cannot be reached or is not fit
   * @throws HooktallyException when migrations are pending that only {@code db migrate} applies
   */
  public static Storage open(DatabaseConfig config) {
    Storage storage = open(config, PoolOptions.inbox(config), config.poolSize());
    if (storage.embedded != null && !storage.embedded.isOwner()) {
      storage.close();
      // It would lose its database with the end of that process.
      throw new HooktallyException(
          "Another process of Hooktally runs the PostgreSQL in "
              + config.dataDir()
              + ": a command, or a server. Start the server again once that has ended.");
    }
    return storage;
  }

  // A command beside a running server takes few connections: the server needs its own.
  private static Storage open(DatabaseConfig config, PoolOptions inboxPool, int workers) {
    EmbeddedDatabase embedded =
        config.isEmbedded() ? EmbeddedDatabase.open(config.dataDir()) : null;
    Database inbox = null;
    try {
      DatabaseAddress address = embedded == null ? config.address() : embedded.address();
      migrated(new Migrations(address), embedded != null);
      inbox = Database.open(address, inboxPool);
      inbox.check();
      Database work = inbox.openAnother(PoolOptions.work("work", workers));
      return new Storage(embedded, inbox, work);
    } catch (RuntimeException e) {
      closeAll(inbox, embedded);
      throw e;
    }
  }

  /** Opens it for a command that may be ended at any moment. */
  public static Storage openForCommand(DatabaseConfig config) {
    Storage storage = open(config, PoolOptions.inbox(config).withSize(2), 6);
    Runtime.getRuntime().addShutdownHook(new Thread(storage::closeAtExit, "close-at-exit"));
    return storage;
  }

  /** What is to be done first where the process is ended while this is open. */
  public void beforeClosingAtExit(AutoCloseable first) {
    beforeExit = first;
  }

  // A second hook would run beside the first: one does both, in this order.
  private void closeAtExit() {
    closeAll(beforeExit, embedded);
  }

  private static void migrated(Migrations migrations, boolean ours) {
    if (ours) {
      migrations.migrate();
      return;
    }
    List<String> pending = migrations.pending();
    if (!pending.isEmpty()) {
      throw new HooktallyException(
          "The database lacks "
              + pending.size()
              + " migration(s), from "
              + pending.get(0)
              + " on. Run: java -jar hooktally.jar db migrate config.yml");
    }
  }

  /** For deliveries: short time-outs, since their senders wait. */
  public Jdbi inbox() {
    return inbox.jdbi();
  }

  /** For work in the background. */
  public Jdbi work() {
    return work.jdbi();
  }

  /** The pool for work in the background. */
  public Database database() {
    return work;
  }

  /** Closes the pools, then stops the embedded PostgreSQL if it is ours. */
  @Override
  public void close() {
    closeAll(work, inbox, embedded);
  }

  private static void closeAll(@Nullable AutoCloseable... parts) {
    for (AutoCloseable part : parts) {
      if (part == null) {
        continue;
      }
      try {
        part.close();
      } catch (Exception e) {
        org.slf4j.LoggerFactory.getLogger(Storage.class).warn("not closed: {}", e.toString());
      }
    }
  }
}
