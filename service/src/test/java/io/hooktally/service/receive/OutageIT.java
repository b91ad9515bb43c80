package io.hooktally.service.receive;

import static io.hooktally.service.receive.ReceiverServer.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hooktally.service.receive.RawHttp.Response;
import io.hooktally.store.Database;
import io.hooktally.store.DatabaseAddress;
import io.hooktally.store.DatabaseConfig;
import io.hooktally.store.PoolOptions;
import io.hooktally.store.testing.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What senders are told while the database is away, slow, or cannot keep up. */
class OutageIT {
  private static final Duration PROMISED = Duration.ofSeconds(3);
  private static final int MAX = 64 * 1024;

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private final ExecutorService senders = Executors.newCachedThreadPool();
  private Database pool;
  private ReceiverServer server;

  /** An answer and the time it took. */
  private record Timed(Response response, Duration took) {}

  @BeforeEach
  void start() throws Exception {
    DatabaseAddress address = database.get().address();
    pool = database.get().openAnother(PoolOptions.inbox(DatabaseConfig.server(address)));
    server =
        new ReceiverServer(
                pool.jdbi(), new ReceiveLimits(MAX, 1, null), ReceiverServer.source("shop", SECRET))
            .start();
    assertThat(deliver("warm", 10).response().status()).isEqualTo(202);
  }

  @AfterEach
  void stop() {
    server.close();
    pool.close();
    senders.shutdownNow();
  }

  @Test
  void answersInTimeWhileTheDatabaseIsSlowAndGoesOnAfterwards() throws Exception {
    try (Handle blocker = lock()) {
      for (Timed timed : deliverAtOnce(20, 10)) {
        isBusyInTime(timed);
      }
      blocker.rollback();
    }
    servesAgain();
    Counts counts = server.counts("shop");
    assertThat(counts.of(Outcome.UNAVAILABLE)).isGreaterThanOrEqualTo(20);
    assertThat(counts.addUp()).isTrue();
  }

  @Test
  void answersAtOnceOnceTheDatabaseIsKnownToBeSlow() throws Exception {
    try (Handle blocker = lock()) {
      Future<Timed> first = senders.submit(() -> deliver("first", 10));
      await()
          .atMost(PROMISED)
          .until(() -> deliver("later", 10).took().compareTo(Duration.ofMillis(300)) < 0);
      for (Timed timed : deliverAtOnce(20, 10)) {
        isBusyInTime(timed);
        assertThat(timed.took()).isLessThan(Duration.ofSeconds(1));
      }
      isBusyInTime(first.get());
      blocker.rollback();
    }
    servesAgain();
  }

  @Test
  void answersInTimeWhileTheDatabaseIsAwayAndGoesOnAfterwards() throws Exception {
    String name = database.get().address().url().replaceAll(".*/([^/?]+).*", "$1");
    administer(
        "alter database " + name + " with allow_connections false",
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + name + "'");
    try {
      isBusyInTime(deliver("away", 10));
      isBusyInTime(deliver("away", 10));
    } finally {
      administer("alter database " + name + " with allow_connections true");
    }
    servesAgain();
  }

  @Test
  void answersInTimeWhileTheDatabaseIsFrozenAndGoesOnAfterwards() throws Exception {
    List<Long> frozen = processesOfTheDatabase();
    signal("STOP", frozen);
    try {
      isBusyInTime(deliver("frozen", 10));
      isBusyInTime(deliver("frozen", 10));
    } finally {
      signal("CONT", frozen);
    }
    servesAgain();
  }

  @Test
  void turnsDeliveriesAwayAtOnceWhenItsMemoryIsFull() throws Exception {
    try (Handle blocker = lock()) {
      List<Timed> answers = deliverAtOnce(6, 60_000);

      assertThat(answers).allSatisfy(OutageIT::isBusyInTime);
      assertThat(answers)
          .filteredOn(timed -> timed.took().compareTo(Duration.ofSeconds(1)) < 0)
          .hasSizeGreaterThanOrEqualTo(3);
      blocker.rollback();
    }
    servesAgain();
    assertThat(deliver("large", 60_000).response().status()).isEqualTo(202);
    await()
        .untilAsserted(
            () ->
                assertThat(
                        server
                            .environment()
                            .metrics()
                            .getGauges()
                            .get("hooktally.receive.queue.bytes")
                            .getValue())
                    .isEqualTo(0L));
  }

  @Test
  void commitsAndAnswersWhatIsQueuedBeforeItStops() throws Exception {
    Future<Timed> waiting;
    Future<?> stopping;
    int port = server.port();
    try (Handle blocker = lock()) {
      waiting = senders.submit(() -> deliver("last", 10));
      await().until(() -> server.counts("shop").open() == 1);
      stopping = senders.submit(server::close);
      await().until(() -> refuses(port));
      blocker.rollback();
    }
    assertThat(waiting.get(10, TimeUnit.SECONDS).response().status()).isEqualTo(202);
    stopping.get(20, TimeUnit.SECONDS);
    assertThat(server.inbox().event("shop", "last")).isPresent();
  }

  private static boolean refuses(int port) {
    try (RawHttp http = new RawHttp(port)) {
      return http.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").response().status() != 404;
    } catch (IOException e) {
      return true;
    }
  }

  private static void isBusyInTime(Timed timed) {
    assertThat(timed.response().status()).isEqualTo(503);
    assertThat(timed.response().hasHeader("retry-after: ")).isTrue();
    assertThat(timed.took()).isLessThan(PROMISED);
  }

  private void servesAgain() {
    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptions()
        .until(() -> deliver("again", 10).response().status() < 300);
    assertThat(server.inbox().event("shop", "again")).isPresent();
  }

  private Handle lock() {
    Handle handle = database.get().jdbi().open();
    handle.begin();
    handle.execute("lock table processed_event in access exclusive mode");
    return handle;
  }

  private List<Timed> deliverAtOnce(int times, int size) throws Exception {
    List<Callable<Timed>> calls = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      String id = "evt_" + i;
      calls.add(() -> deliver(id, size));
    }
    List<Timed> answers = new ArrayList<>();
    for (Future<Timed> answer : senders.invokeAll(calls)) {
      answers.add(answer.get());
    }
    return answers;
  }

  private Timed deliver(String id, int size) throws IOException {
    byte[] body = "x".repeat(size).getBytes(StandardCharsets.UTF_8);
    long start = System.nanoTime();
    Response response =
        RawHttp.exchange(
            server.port(),
            "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nX-Shop-Signature: "
                + Signing.v0(SECRET, body)
                + "\r\nX-Shop-Event-Id: "
                + id
                + "\r\nContent-Length: "
                + body.length
                + "\r\n\r\n",
            body);
    return new Timed(response, Duration.ofNanos(System.nanoTime() - start));
  }

  private static void administer(String... statements) throws SQLException {
    DatabaseAddress address = TestDatabase.server().address();
    try (Connection connection =
            DriverManager.getConnection(address.url(), address.user(), address.password().value());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  // The postmaster and all its children, so that not even a connection is accepted.
  private List<Long> processesOfTheDatabase() {
    int backend =
        database
            .get()
            .jdbi()
            .withHandle(
                handle -> handle.createQuery("select pg_backend_pid()").mapTo(Integer.class).one());
    ProcessHandle postmaster = ProcessHandle.of(backend).orElseThrow().parent().orElseThrow();
    return Stream.concat(Stream.of(postmaster), postmaster.descendants())
        .map(ProcessHandle::pid)
        .toList();
  }

  private static void signal(String name, List<Long> pids) throws Exception {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    pids.forEach(pid -> command.add(Long.toString(pid)));
    // A child may have ended meanwhile.
    new ProcessBuilder(command).start().waitFor();
  }
}
