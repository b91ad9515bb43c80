package io.hooktally.service.receive;

import static io.hooktally.service.receive.ReceiverServer.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hooktally.service.receive.RawHttp.Response;
import io.hooktally.store.Database;
import io.hooktally.store.DatabaseAddress;
import io.hooktally.store.DatabaseConfig;
import io.hooktally.store.EmbeddedDatabase;
import io.hooktally.store.Migrations;
import io.hooktally.store.PoolOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The receiver over a PostgreSQL of its own that is really killed, filled, made read-only or short
 * of connections: 503 in time as long as it lasts, normal service afterwards without a restart, and
 * nothing that was answered is lost.
 */
class FaultsIT {
  private static final Duration PROMISED = Duration.ofSeconds(3);
  private static final int CONNECTIONS = 20;

  @TempDir Path folder;

  private final Map<String, byte[]> answered = new ConcurrentHashMap<>();
  private EmbeddedDatabase postgres;
  private Database pool;
  private Database work;
  private ReceiverServer server;
  private int ids;
  private int unavailable;

  private void start(Path data) throws Exception {
    postgres =
        EmbeddedDatabase.open(
            data,
            EmbeddedDatabase.Options.defaults()
                .withSettings(Map.of("max_connections", Integer.toString(CONNECTIONS))));
    new Migrations(postgres.address()).migrate();
    pool =
        Database.open(
            postgres.address(),
            PoolOptions.inbox(DatabaseConfig.server(postgres.address())).withSize(4));
    work = Database.open(postgres.address(), PoolOptions.work("work", 2));
    server =
        new ReceiverServer(
                pool.jdbi(),
                work.jdbi(),
                new ReceiveLimits(1 << 20, 64L << 20, null),
                ReceiverServer.source("shop", SECRET))
            .start();
    servesAgain();
  }

  @AfterEach
  void stop() {
    for (AutoCloseable part : Arrays.<AutoCloseable>asList(server, pool, work, postgres)) {
      try {
        if (part != null) {
          part.close();
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void killedAndStartedAgain() throws Exception {
    start(folder.resolve("data"));
    List<ProcessHandle> killed = processes();
    assertThat(killed).hasSizeGreaterThan(1);

    killed.forEach(ProcessHandle::destroyForcibly);
    isUnavailable(100);

    servesAgain();
    everyAnsweredEventIsThereAndTheCountsAddUp();
  }

  @Test
  void aBackendKilledInTheMiddle() throws Exception {
    start(folder.resolve("data"));
    int backend =
        pool.jdbi()
            .withHandle(
                handle -> handle.createQuery("select pg_backend_pid()").mapTo(Integer.class).one());

    // PostgreSQL ends all sessions and recovers.
    ProcessHandle.of(backend).orElseThrow().destroyForcibly();
    for (int i = 0; i < 20; i++) {
      assertThat(deliver(100)).isIn(202, 503);
    }

    servesAgain();
    everyAnsweredEventIsThereAndTheCountsAddUp();
  }

  @Test
  void readOnlyForAWhile() throws Exception {
    start(folder.resolve("data"));
    administer(
        "alter role hooktally set default_transaction_read_only = on",
        "select pg_terminate_backend(pid) from pg_stat_activity"
            + " where usename = 'hooktally' and pid <> pg_backend_pid()");

    isUnavailable(100);
    isUnavailable(100);

    administer(
        "set default_transaction_read_only = off",
        "alter role hooktally reset default_transaction_read_only");
    servesAgain();
    everyAnsweredEventIsThereAndTheCountsAddUp();
  }

  @Test
  void outOfConnections() throws Exception {
    start(folder.resolve("data"));
    List<Connection> taken = new ArrayList<>();
    try {
      administer(
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where usename = 'hooktally' and pid <> pg_backend_pid()");
      await()
          .until(
              () -> {
                takeAll(taken);
                return deliver(100) == 503;
              });
      isUnavailable(100);
    } finally {
      for (Connection one : taken) {
        one.close();
      }
    }
    servesAgain();
    everyAnsweredEventIsThereAndTheCountsAddUp();
  }

  @Test
  void diskFull() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", disk.toString()) == 0,
        "a small disk of its own can be mounted by root only");
    try {
      start(disk.resolve("data"));
      Path ballast = disk.resolve("ballast");
      fill(ballast);
      // What is written ahead has room left in its files; then there is none.
      await().atMost(Duration.ofSeconds(60)).until(() -> deliver(500_000) == 503);
      fill(ballast);
      isUnavailable(500_000);

      Files.delete(ballast);
      servesAgain();
      everyAnsweredEventIsThereAndTheCountsAddUp();
    } finally {
      stop();
      server = null;
      pool = null;
      work = null;
      postgres = null;
      run("umount", "-l", disk.toString());
    }
  }

  private void isUnavailable(int size) throws IOException {
    long start = System.nanoTime();
    Response response = exchange("gone_" + ++ids, new byte[size]);
    assertThat(response.status()).isEqualTo(503);
    assertThat(response.hasHeader("retry-after: ")).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMISED);
    unavailable++;
  }

  private void servesAgain() {
    await().atMost(Duration.ofSeconds(60)).until(() -> deliver(100) == 202);
  }

  private int deliver(int size) throws IOException {
    String id = "evt_" + ++ids;
    byte[] body = (id + " ".repeat(size)).getBytes(StandardCharsets.UTF_8);
    int status = exchange(id, body).status();
    if (status < 300) {
      answered.put(id, body);
    } else {
      assertThat(status).isEqualTo(503);
      unavailable++;
    }
    return status;
  }

  private Response exchange(String id, byte[] body) throws IOException {
    return RawHttp.exchange(
        server.port(),
        "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nX-Shop-Signature: "
            + Signing.v0(SECRET, body)
            + "\r\nX-Shop-Event-Id: "
            + id
            + "\r\nContent-Length: "
            + body.length
            + "\r\n\r\n",
        body);
  }

  private void everyAnsweredEventIsThereAndTheCountsAddUp() {
    assertThat(answered).isNotEmpty();
    answered.forEach(
        (id, body) ->
            assertThat(server.inbox().payload("shop", id))
                .as(id)
                .hasValueSatisfying(payload -> assertThat(payload.body()).isEqualTo(body)));
    Counts counts = server.counts("shop");
    await().until(() -> server.counts("shop").open() == 0);
    assertThat(counts.of(Outcome.STORED)).isEqualTo(answered.size());
    assertThat(counts.of(Outcome.UNAVAILABLE)).isEqualTo(unavailable).isPositive();
    assertThat(counts.delivered()).isEqualTo(counts.decided());
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              server.lookForTroubles();
              assertThat(recordedAsUnavailable()).isEqualTo(unavailable);
            });
  }

  private int recordedAsUnavailable() {
    return work.jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        "select sum(deliveries) from trouble where outcome = 'unavailable'")
                    .mapTo(Integer.class)
                    .one());
  }

  private void takeAll(List<Connection> taken) {
    DatabaseAddress address = postgres.address();
    try {
      while (true) {
        taken.add(
            DriverManager.getConnection(address.url(), address.user(), address.password().value()));
      }
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo("53300");
    }
  }

  private void administer(String... statements) throws SQLException {
    DatabaseAddress address = postgres.address();
    try (Connection connection =
            DriverManager.getConnection(address.url(), address.user(), address.password().value());
        var statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private List<ProcessHandle> processes() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      Path file = files.filter(one -> one.endsWith("postmaster.pid")).findFirst().orElseThrow();
      ProcessHandle postmaster =
          ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0).strip())).orElseThrow();
      return Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    }
  }

  private static void fill(Path ballast) {
    byte[] block = new byte[64 * 1024];
    try (OutputStream out =
        Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }
}
