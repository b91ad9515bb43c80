package io.hooktally.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema {@code hooktally} up to date, from the change sets under {@code db/} on the
 * class path. An ordinary role is enough, if it may create the schema or owns it. Uses connections
 * of its own, which must lead to the server directly, not through a pooler that shares sessions.
 * Any number of instances may call it at once: one works, the others wait.
 */
public final class Migrations {
  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
  private static final Duration DEFAULT_WAIT = Duration.ofMinutes(2);

  /** Any number that nobody else uses: "hooktall" in ASCII. */
  static final long LOCK = 0x686f6f6b74616c6cL;

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final PGSimpleDataSource source;
  private final DatabaseAddress address;
  private final Duration longestWait;

  /** Migrations of the database at this address; waits up to two minutes for another instance. */
  public Migrations(DatabaseAddress address) {
    this(address, DEFAULT_WAIT);
  }

  /**
   * Migrations of the database at this address.
   *
   * @param longestWait how long to wait for another instance that is migrating
   */
  public Migrations(DatabaseAddress address, Duration longestWait) {
    this.address = address;
    this.longestWait = longestWait;
    this.source = Database.dataSource(address, PoolOptions.work("migrations", 1));
  }

  /**
   * Applies what is pending, each change set in a transaction of its own. Killed in between, the
   * next call goes on where it stopped.
   *
   * @return the ids of the change sets it applied
   * @throws StoreException when a change set fails, another instance takes too long, or the role
   *     may not create the schema
   */
  public List<String> migrate() {
    // The lock is on a connection of its own: Liquibase commits and rolls back as it likes.
    try (Connection guard = source.getConnection()) {
      lock(guard);
      createSchema(guard);
      try (Connection connection = source.getConnection();
          Changelog changelog = Changelog.open(connection)) {
        List<String> pending = changelog.pending();
        if (pending.isEmpty()) {
          return pending;
        }
        LOG.info("Applying {} change sets to {}", pending.size(), address);
        // Nobody migrates without our lock, which we hold: a lock row was left by a killed process.
        changelog.releaseLockRow();
        changelog.update();
        return pending;
      }
    } catch (SQLException e) {
      throw new StoreException("Could not migrate " + address + ": " + e.getMessage(), e);
    }
  }

  /**
   * The ids of the change sets that are not applied yet, in order. Changes nothing.
   *
   * @throws StoreException when the database cannot be read
   */
  public List<String> pending() {
    try (Connection connection = source.getConnection();
        Changelog changelog = Changelog.open(connection)) {
      return changelog.pending();
    } catch (SQLException e) {
      throw new StoreException("Could not read the migrations of " + address, e);
    }
  }

  /** Taken until the connection ends, so that a killed process gives it back. */
  private void lock(Connection guard) throws SQLException {
    try (Statement statement = guard.createStatement()) {
      statement.execute("set lock_timeout = " + longestWait.toMillis());
      statement.execute("select pg_advisory_lock(" + LOCK + ")");
    } catch (SQLException e) {
      if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        throw new StoreException(
            String.format(
                Locale.ROOT,
                "Another instance of Hooktally has been migrating %s for more than %s. Wait for it and"
                    + " start again; select * from pg_locks where locktype = 'advisory' shows its session.",
                address,
                longestWait),
            e);
      }
      throw e;
    }
  }

  /**
   * Looks first: {@code create schema if not exists} demands the right to create schemas even when
   * there is nothing to create.
   */
  private void createSchema(Connection connection) throws SQLException {
    if (Changelog.exists(
        connection, "select 1 from pg_namespace where nspname = ?", Database.SCHEMA)) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("create schema " + Database.SCHEMA);
    } catch (SQLException e) {
      throw new StoreException(
          String.format(
              Locale.ROOT,
              "The role may not create the schema %1$s in %2$s. Let an administrator do it:"
                  + " create schema %1$s authorization \"%3$s\";",
              Database.SCHEMA,
              address,
              connection.getMetaData().getUserName()),
          e);
    }
  }
}
