package io.hooktally.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hooktally.store.testing.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jdbi.v3.core.generic.GenericType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DatabaseIT {
  /** What the inbox may take to notice that its database is gone. */
  private static final Duration NOTICED = Duration.ofSeconds(3);

  private static final PoolOptions INBOX = PoolOptions.inbox(DatabaseConfig.embedded(Path.of("x")));

  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  @Test
  void refusesAServerThatForgets() {
    assertThatThrownBy(DATABASE.get()::check)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("fsync is off")
        .hasMessageContaining("full_page_writes is off")
        .hasMessageContaining("synchronous_commit is off")
        .hasMessageContaining("postgresql.conf")
        .hasMessageNotContaining(DATABASE.get().address().password().value());
  }

  @Test
  void refusesADatabaseThatTakesNoWritesOrNotEveryCharacter() throws SQLException {
    try (Connection superuser = TestDatabase.server().connectAsSuperuser("postgres");
        Statement statement = superuser.createStatement()) {
      statement.execute(
          "create database ascii owner hooktally encoding 'SQL_ASCII' locale 'C' template template0");
      statement.execute("alter database ascii set default_transaction_read_only = on");
    }
    DatabaseAddress known = TestDatabase.server().address();
    DatabaseAddress ascii =
        new DatabaseAddress(
            known.url().replaceFirst("/hooktally$", "/ascii"), known.user(), known.password());
    try (Database database = TestDatabase.open(ascii)) {
      assertThatThrownBy(database::check)
          .hasMessageContaining("encoding is SQL_ASCII")
          .hasMessageContaining("encoding 'UTF8'")
          .hasMessageContaining("takes no writes");
    }
  }

  @Test
  void findsItsTablesAndRunsInTheZoneItWasGiven() {
    assertThat(ask(DATABASE.get(), "select count(*)::text from processed_event")).isEqualTo("0");
    assertThat(ask(DATABASE.get(), "show timezone")).isEqualTo("Asia/Kolkata");
    try (Database another = DATABASE.get().openAnother(PoolOptions.work("reports", 1))) {
      assertThat(ask(another, "show timezone")).isEqualTo("UTC");
      assertThat(ask(another, "show application_name")).isEqualTo("hooktally reports");
    }
  }

  @Test
  void bindsArrays() {
    Instant instant = Instant.parse("2026-03-29T01:30:00.123456Z");
    List<byte[]> bytes = List.of("a\u0000b".getBytes(StandardCharsets.UTF_8), new byte[0]);
    DATABASE
        .get()
        .jdbi()
        .useHandle(
            handle -> {
              assertThat(
                      handle
                          .createQuery("select unnest(:values)")
                          .bindByType("values", bytes, new GenericType<List<byte[]>>() {})
                          .mapTo(byte[].class)
                          .list())
                  .containsExactlyElementsOf(bytes);
              assertThat(
                      handle
                          .createQuery("select unnest(:values)")
                          .bindByType(
                              "values",
                              Arrays.asList(instant, null),
                              new GenericType<List<Instant>>() {})
                          .mapTo(Instant.class)
                          .list())
                  .containsExactly(instant, null);
              assertThat(
                      handle
                          .createQuery("select unnest(:values)")
                          .bindArray("values", String.class, "one", null, "{\"3\"}")
                          .mapTo(String.class)
                          .list())
                  .containsExactly("one", null, "{\"3\"}");
              assertThat(
                      handle
                          .createQuery("select unnest(:values)")
                          .bindArray("values", Long.class, List.of(1L, Long.MAX_VALUE))
                          .mapTo(Long.class)
                          .list())
                  .containsExactly(1L, Long.MAX_VALUE);
            });
  }

  @Test
  void keepsValuesOutOfItsErrors() {
    DATABASE
        .get()
        .jdbi()
        .useHandle(
            handle -> {
              handle.execute("create temporary table once (value text primary key)");
              handle.execute("insert into once values (?)", "a secret");
              assertThatThrownBy(() -> handle.execute("insert into once values (?)", "a secret"))
                  .hasMessageContaining("once_pkey")
                  .hasMessageNotContaining("a secret")
                  .rootCause()
                  .hasMessageNotContaining("a secret");
            });
  }

  @Test
  void saysWhereItCannotConnect() throws IOException {
    DatabaseAddress nowhere =
        new DatabaseAddress(
            "jdbc:postgresql://127.0.0.1:" + closedPort() + "/lost?sslpassword=hidden",
            "me",
            new Secret("hidden"));
    assertThatThrownBy(() -> Database.open(nowhere, INBOX))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("/lost as me")
        .hasMessageContaining("config.yml")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void opensWithoutAServerWhenAskedAndFailsItsCallersSoon() throws IOException {
    DatabaseAddress nowhere =
        new DatabaseAddress(
            "jdbc:postgresql://127.0.0.1:" + closedPort() + "/x", "me", new Secret("x"));
    try (Database database = Database.open(nowhere, INBOX.mayBeAway())) {
      assertTimeoutPreemptively(
          NOTICED,
          () ->
              assertThatThrownBy(() -> database.dataSource().getConnection().close())
                  .isInstanceOf(SQLException.class));
    }
  }

  @Test
  void noticesAServerThatAcceptsAndSaysNothing() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      DatabaseAddress there =
          new DatabaseAddress(
              "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x", "me", new Secret("x"));
      try (Database database = Database.open(there, INBOX.mayBeAway())) {
        assertTimeoutPreemptively(
            NOTICED,
            () ->
                assertThatThrownBy(() -> database.dataSource().getConnection().close())
                    .isInstanceOf(SQLException.class));
      }
    }
  }

  @Test
  void noticesAServerThatStopsAnswering() throws Exception {
    try (Database database = Database.open(DATABASE.get().address(), INBOX.withSize(1));
        Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      String backend = backendOf(statement);
      signal("-STOP", backend);
      try {
        assertTimeoutPreemptively(
            NOTICED,
            () ->
                assertThatThrownBy(() -> statement.execute("select 1"))
                    .isInstanceOf(SQLException.class));
      } finally {
        signal("-CONT", backend);
      }
    }
  }

  private static String backendOf(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      return row.getString(1);
    }
  }

  private static void signal(String signal, String pid) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, pid).start().waitFor()).isZero();
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String ask(Database database, String query) {
    return database
        .jdbi()
        .withHandle(handle -> handle.createQuery(query).mapTo(String.class).one());
  }
}
