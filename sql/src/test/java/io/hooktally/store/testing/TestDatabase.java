package io.hooktally.store.testing;

import io.hooktally.store.Database;
import io.hooktally.store.DatabaseAddress;
import io.hooktally.store.EmbeddedDatabase;
import io.hooktally.store.Migrations;
import io.hooktally.store.PoolOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A fresh, migrated database for a test, in one PostgreSQL per test JVM. Each is a copy of a
 * template, made in a few dozen milliseconds. Sessions are in a time zone that is neither UTC nor
 * the JVM's, so that what depends on one shows.
 *
 * <pre>
 * {@literal @}RegisterExtension final TestDatabase database = new TestDatabase();        // per test
 * {@literal @}RegisterExtension static final TestDatabase DATABASE = new TestDatabase(); // per class
 * </pre>
 *
 * or without JUnit: {@code try (Database database = TestDatabase.create()) {...}}.
 */
public final class TestDatabase
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
  /** The zone of test sessions: half an hour off the full one, and no summer time. */
  public static final ZoneId ZONE = ZoneId.of("Asia/Kolkata");

  private static final int POOL = 8;
  private static final String TEMPLATE = "template_of_tests";
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final boolean migrated;
  private @Nullable Database database;
  private boolean perClass;

  /** A database with every migration applied. */
  public TestDatabase() {
    this(true);
  }

  private TestDatabase(boolean migrated) {
    this.migrated = migrated;
  }

  /** A database without even the schema. */
  public static TestDatabase empty() {
    return new TestDatabase(false);
  }

  /** A new migrated database; close it to close its connections. */
  public static Database create() {
    return open(address(true));
  }

  /** The address of a new migrated database, for programs that connect themselves. */
  public static DatabaseAddress createAddress() {
    return address(true);
  }

  /** The address of a new database without the schema. */
  public static DatabaseAddress createEmptyAddress() {
    return address(false);
  }

  /** The server that holds them all. Fsync is off: not for tests of durability. */
  public static EmbeddedDatabase server() {
    return Server.RUNNING;
  }

  /** A pool to such a database, with sessions in {@link #ZONE}. */
  public static Database open(DatabaseAddress address) {
    return Database.open(address, PoolOptions.work("test", POOL).withZone(ZONE));
  }

  /** The database of the current test. */
  public Database get() {
    if (database == null) {
      throw new IllegalStateException("no test is running");
    }
    return database;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    perClass = true;
    database = open(address(migrated));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (!perClass) {
      database = open(address(migrated));
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (!perClass) {
      closeAndDrop();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    closeAndDrop();
  }

  /** Each takes some 10 MB of disk. */
  private void closeAndDrop() {
    Database done = get();
    done.close();
    String url = done.address().url();
    execute("drop database " + url.substring(url.lastIndexOf('/') + 1) + " with (force)");
  }

  private static DatabaseAddress address(boolean migrated) {
    String name = "test_" + NUMBER.incrementAndGet();
    execute("create database " + name + (migrated ? " template " + Server.template() : ""));
    return in(name);
  }

  private static void execute(String sql) {
    DatabaseAddress address = server().address();
    try (Connection connection =
            DriverManager.getConnection(address.url(), address.user(), address.password().value());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("Could not prepare a test database: " + sql, e);
    }
  }

  private static DatabaseAddress in(String name) {
    DatabaseAddress address = server().address();
    String server = address.url().substring(0, address.url().lastIndexOf('/') + 1);
    return new DatabaseAddress(server + name, address.user(), address.password());
  }

  /** Started by the first test that needs it, stopped with the JVM. */
  private static final class Server {
    private static final EmbeddedDatabase RUNNING = start();
    private static final String MIGRATED = migrate();

    private static EmbeddedDatabase start() {
      EmbeddedDatabase server =
          EmbeddedDatabase.ephemeral(
              EmbeddedDatabase.Options.defaults()
                  .withTimeout(Duration.ofMinutes(1))
                  .withSettings(
                      Map.of(
                          "fsync", "off",
                          "synchronous_commit", "off",
                          "full_page_writes", "off",
                          // It would sit in the template at times and keep it from being copied.
                          "autovacuum", "off",
                          "max_connections", "200")));
      server.closeAtExit();
      return server;
    }

    private static String template() {
      return MIGRATED;
    }

    private static String migrate() {
      execute("create database " + TEMPLATE);
      new Migrations(in(TEMPLATE)).migrate();
      return TEMPLATE;
    }
  }
}
