package io.hooktally.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.hooktally.store.testing.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MigrationsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A table of the first migration. */
  private static final String FIRST_TABLE = "processed_event";

  private final DatabaseAddress address = TestDatabase.createEmptyAddress();
  private final Migrations migrations = new Migrations(address);

  @Test
  void appliesWhatIsPendingAndOnlyOnce() {
    List<String> pending = migrations.pending();
    assertThat(pending).isNotEmpty();
    assertThat(schemas()).isEmpty();

    assertThat(migrations.migrate()).isEqualTo(pending);
    assertThat(migrations.pending()).isEmpty();
    assertThat(migrations.migrate()).isEmpty();
  }

  @Test
  void keepsEverythingInItsOwnSchema() {
    migrations.migrate();
    assertThat(
            list(
                "select distinct schemaname from pg_tables"
                    + " where schemaname not in ('pg_catalog', 'information_schema')"))
        .containsExactly("hooktally");
    assertThat(list("select tablename from pg_tables where schemaname = 'hooktally'"))
        .contains("databasechangelog", "databasechangeloglock", FIRST_TABLE);
  }

  @Test
  void beginsAnewAfterTheSchemaWasDropped() {
    List<String> applied = migrations.migrate();
    execute(address, "drop schema hooktally cascade");
    assertThat(migrations.pending()).isEqualTo(applied);
    assertThat(migrations.migrate()).isEqualTo(applied);
  }

  /** Kept from its table by another session, then killed: with Liquibase's lock row taken. */
  @Test
  void goesOnAfterAProcessWasKilledInTheMiddle() throws Exception {
    execute(address, "create schema hooktally");
    try (Connection blocker = connect(address)) {
      blocker.setAutoCommit(false);
      try (Statement statement = blocker.createStatement()) {
        statement.execute("create table hooktally." + FIRST_TABLE + " (id int)");
      }
      try (Child child =
          Child.start("migrate", address.url(), address.user(), address.password().value())) {
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    list("select 'blocked' from pg_stat_activity"
                            + " where datname = current_database() and wait_event_type = 'Lock'")
                        .contains("blocked"));
        child.kill();
      }
      blocker.rollback();
    }
    assertThat(list("select locked::text from hooktally.databasechangeloglock"))
        .containsExactly("true");
    assertThat(migrations.pending()).isNotEmpty();

    assertTimeout(PATIENCE, migrations::migrate);
    assertThat(migrations.pending()).isEmpty();
  }

  @Test
  void letsOneWorkWhileAnotherWaits() {
    CompletableFuture<List<String>> one =
        CompletableFuture.supplyAsync(() -> new Migrations(address).migrate());
    CompletableFuture<List<String>> two =
        CompletableFuture.supplyAsync(() -> new Migrations(address).migrate());
    assertThat(Stream.of(one.join(), two.join()).filter(List::isEmpty)).hasSize(1);
    assertThat(migrations.pending()).isEmpty();
  }

  @Test
  void doesNotWaitForEver() throws SQLException {
    try (Connection other = connect(address);
        Statement statement = other.createStatement()) {
      statement.execute("select pg_advisory_lock(" + Migrations.LOCK + ")");
      assertThatThrownBy(() -> new Migrations(address, Duration.ofMillis(200)).migrate())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("Another instance of Hooktally has been migrating")
          .hasMessageContaining("pg_locks");
    }
    assertThat(migrations.migrate()).isNotEmpty();
  }

  @Test
  void needsNoMoreThanItsSchema() throws SQLException {
    DatabaseAddress plain = databaseOfAnother("plain_with_schema");
    assertThatThrownBy(() -> new Migrations(plain).migrate())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("create schema hooktally authorization \"plain_with_schema\"");

    try (Connection superuser = TestDatabase.server().connectAsSuperuser("plain_with_schema");
        Statement statement = superuser.createStatement()) {
      statement.execute("create schema hooktally authorization plain_with_schema");
    }
    assertThat(new Migrations(plain).migrate()).isNotEmpty();
    assertThat(new Migrations(plain).pending()).isEmpty();
  }

  @Test
  void printsNothing() {
    PrintStream output = System.out;
    PrintStream errors = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream trap = new PrintStream(printed, true, StandardCharsets.UTF_8);
    System.setOut(trap);
    System.setErr(trap);
    try {
      migrations.pending();
      migrations.migrate();
      migrations.migrate();
    } finally {
      System.setOut(output);
      System.setErr(errors);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /** A database in which the new role owns nothing and may create nothing. */
  private static DatabaseAddress databaseOfAnother(String role) throws SQLException {
    try (Connection superuser = TestDatabase.server().connectAsSuperuser("postgres");
        Statement statement = superuser.createStatement()) {
      statement.execute("create role " + role + " login password 'plain'");
      statement.execute("create database " + role);
    }
    String url = TestDatabase.server().address().url();
    return new DatabaseAddress(
        url.substring(0, url.lastIndexOf('/') + 1) + role, role, new Secret("plain"));
  }

  private List<String> schemas() {
    return list("select nspname from pg_namespace where nspname = 'hooktally'");
  }

  private List<String> list(String query) {
    try (Database database = Database.open(address, PoolOptions.work("look", 1))) {
      return database
          .jdbi()
          .withHandle(handle -> handle.createQuery(query).mapTo(String.class).list());
    }
  }

  private static Connection connect(DatabaseAddress address) throws SQLException {
    return DriverManager.getConnection(address.url(), address.user(), address.password().value());
  }

  private static void execute(DatabaseAddress address, String sql) {
    try (Connection connection = connect(address);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
