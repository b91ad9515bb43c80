package io.hooktally.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL of our own, with its data in one directory.
 *
 * <p>The process that holds the directory's lock <b>owns</b> the server: it starts it (or adopts
 * the one that a killed predecessor left running), restarts it on the same port when it dies, and
 * stops it in {@link #close()}. Any other process <b>joins</b> the running server and never stops
 * it.
 *
 * <p>Nothing happens at the end of the Java process by itself: whoever opened this closes it, after
 * everything that uses the database has finished (see {@link #closeAtExit()} for programs that end
 * anywhere). If nobody does, the server stays and the next {@code open} adopts it.
 *
 * <p>Thread-safe.
 */
public final class EmbeddedDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);

  /** Of the attempts to start a server that stays down, one a second: about one line a minute. */
  private static final int LOG_EVERY = 60;

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

  private final DataDirectory directory;
  private final PostgresServer server;
  private final Options options;
  private final int port;
  private final DatabaseAddress address;
  private final @Nullable Ownership ownership;
  private final AtomicBoolean closed = new AtomicBoolean();
  private int failedStarts;
  private boolean released;

  /** What only the owner has. */
  private record Ownership(DirectoryLock lock, PostgresPrograms programs, boolean deleteAtClose) {}

  /**
   * How to open it.
   *
   * @param port TCP port on 127.0.0.1; 0: the one used last, or any free one
   * @param timeout how long to wait for a server to start, recover from a crash, or (when another
   *     process owns it) to become ready
   * @param settings PostgreSQL settings to give at start, over ours; for tests
   */
  public record Options(int port, Duration timeout, Map<String, String> settings) {
    /** Any port, two minutes, no settings. */
    public static Options defaults() {
      return new Options(0, Duration.ofMinutes(2), Map.of());
    }

    /** These with another port. */
    public Options withPort(int otherPort) {
      return new Options(otherPort, timeout, settings);
    }

    /** These with another timeout. */
    public Options withTimeout(Duration otherTimeout) {
      return new Options(port, otherTimeout, settings);
    }

    /** These with PostgreSQL settings of the caller's; values must not hold spaces. */
    public Options withSettings(Map<String, String> otherSettings) {
      return new Options(port, timeout, otherSettings);
    }
  }

  private EmbeddedDatabase(
      DataDirectory directory, Options options, int port, @Nullable Ownership ownership) {
    this.directory = directory;
    this.server = new PostgresServer(directory);
    this.options = options;
    this.port = port;
    this.address = EmbeddedSetup.address(directory, port);
    this.ownership = ownership;
  }

  /** {@link #open(Path, Options)} with the defaults. */
  public static EmbeddedDatabase open(Path dataDir) {
    return open(dataDir, Options.defaults());
  }

  /**
   * Opens the database in {@code dataDir}, creating it the first time; owns or joins its server.
   * Returns when the server answers.
   *
   * @throws StoreException when that cannot be done; the message says what to do
   */
  public static EmbeddedDatabase open(Path dataDir, Options options) {
    DataDirectory directory = DataDirectory.prepare(dataDir);
    PostgresServer server = new PostgresServer(directory);
    long deadline = System.nanoTime() + options.timeout().toNanos();
    try {
      while (System.nanoTime() < deadline) {
        Optional<DirectoryLock> lock = DirectoryLock.tryLock(directory.lockFile());
        if (lock.isPresent()) {
          return own(directory, options, lock.get(), directory.root(), false);
        }
        Optional<PostmasterPid> running = server.answering();
        if (running.isPresent() && EmbeddedSetup.isComplete(directory, running.get().port())) {
          LOG.info("Joined the PostgreSQL on {}, which another process runs", directory.root());
          return new EmbeddedDatabase(directory, options, running.get().port(), null);
        }
        // The owner may still be creating the database, or may just have gone.
        Pause.shortly();
      }
    } catch (IOException e) {
      throw new StoreException("Could not open the database in " + directory.root(), e);
    }
    throw new StoreException(
        String.format(
            Locale.ROOT,
            "The data directory %s is in use by another process (%s), but no PostgreSQL answers there"
                + " within %s. If that process is starting, wait; if it hangs, end it; then start again.",
            directory.root(),
            DirectoryLock.holder(directory.lockFile()),
            options.timeout()));
  }

  /**
   * A database in a new folder below the temp directory, gone after {@link #close()}: for demos and
   * tests. Its role may create databases. Programs are unpacked once per user and kept. What killed
   * processes left behind is removed.
   */
  public static EmbeddedDatabase ephemeral(Options options) {
    try {
      Path programs = EphemeralFolders.programs();
      EphemeralFolders.removeAbandoned();
      DataDirectory directory = DataDirectory.prepare(EphemeralFolders.create());
      DirectoryLock lock =
          DirectoryLock.tryLock(directory.lockFile())
              .orElseThrow(() -> new StoreException("Somebody took " + directory.root()));
      return own(directory, options, lock, programs, true);
    } catch (IOException e) {
      throw new StoreException("Could not create a database in the temp directory", e);
    }
  }

  private static EmbeddedDatabase own(
      DataDirectory directory,
      Options options,
      DirectoryLock lock,
      Path programsIn,
      boolean temporary)
      throws IOException {
    @Nullable EmbeddedDatabase opened = null;
    try {
      PostgresPrograms.refuseHelplessRoot(directory);
      PostgresPrograms programs =
          new PostgresPrograms(directory, PostgresBundle.unpack(programsIn));
      EmbeddedStart start = new EmbeddedStart(directory, programs, options);
      int port = start.startOrAdopt(temporary);
      start.setUp(port, temporary);
      opened =
          new EmbeddedDatabase(directory, options, port, new Ownership(lock, programs, temporary));
      opened.watch();
      return opened;
    } finally {
      if (opened == null) {
        lock.close();
        if (temporary && !new PostgresServer(directory).isAlive()) {
          DataDirectory.deleteRecursively(directory.root());
        }
      }
    }
  }

  /** Where to connect, as the ordinary role that owns the database. Fixed while this is open. */
  public DatabaseAddress address() {
    return address;
  }

  /** The TCP port on 127.0.0.1. Fixed while this is open, also across restarts of the server. */
  public int port() {
    return port;
  }

  /** True when this process started (or adopted) the server and will stop it. */
  public boolean isOwner() {
    return ownership != null;
  }

  /**
   * Starts the server again, on the same port, if it has died. An internal thread calls this once a
   * second. Does nothing when another process owns the server, or after {@link #close()}.
   *
   * @return true when a server process lives now
   */
  public synchronized boolean ensureRunning() {
    if (ownership == null || closed.get()) {
      return server.answering().isPresent();
    }
    if (server.isAlive()) {
      return true;
    }
    try {
      new EmbeddedStart(directory, ownership.programs(), options).restart(port);
      LOG.warn("PostgreSQL on {} had died and runs again, on port {}", directory.root(), port);
      failedStarts = 0;
      return true;
    } catch (StoreException | IOException e) {
      if (failedStarts++ % LOG_EVERY == 0) {
        LOG.error("PostgreSQL on {} has died: {}", directory.root(), e.getMessage());
      }
      return false;
    }
  }

  /** A new connection as the superuser, for tests that prepare roles; the caller closes it. */
  Connection connectAsSuperuser(String database) throws SQLException {
    return server.connectAsSuperuser(port, database, options.timeout());
  }

  private void watch() {
    Thread watcher = new Thread(new Watch(this, closed), "embedded-postgres-watch");
    watcher.setDaemon(true);
    watcher.start();
  }

  /**
   * Closes when the Java process ends, for programs that may end anywhere (a command stopped by
   * Ctrl-C). Not for a server that still finishes work at that moment: it calls {@link #close()}
   * itself, last.
   */
  public void closeAtExit() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "embedded-postgres-close"));
  }

  /**
   * Stops the server if this process owns it, and gives the directory free. Waits until PostgreSQL
   * has written everything and is gone; so does a second call that comes meanwhile.
   */
  @Override
  public void close() {
    closed.set(true);
    if (ownership == null) {
      return;
    }
    // An interrupted thread closes as well: what it interrupts is the waiting, not the stopping.
    boolean interrupted = Thread.interrupted();
    try {
      release(ownership);
    } catch (IOException e) {
      throw new StoreException("Could not close the database in " + directory.root(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for a restart that is under way. */
  private synchronized void release(Ownership owned) throws IOException {
    if (released) {
      return;
    }
    released = true;
    stop(owned.programs());
    owned.lock().close();
    if (owned.deleteAtClose()) {
      DataDirectory.deleteRecursively(directory.root());
    }
  }

  private void stop(PostgresPrograms programs) throws IOException {
    if (!server.isAlive()) {
      return;
    }
    try {
      programs.stop("fast", STOP_TIMEOUT);
    } catch (StoreException e) {
      LOG.warn("{} Stopping it at once; it will recover at its next start", e.getMessage());
      programs.stop("immediate", STOP_TIMEOUT);
    }
  }
}
