package io.hooktally.service.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hooktally.store.Database;
import io.hooktally.store.EmbeddedDatabase;
import io.hooktally.store.PoolOptions;
import io.hooktally.store.inbox.Inbox;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real process, killed in a stream of deliveries, loses nothing that it answered. */
class KillIT {
  private static final String SECRET = "whsec_kill";
  private static final int SENDERS = 8;
  private static final int ANSWERED_BEFORE = 300;
  private static final Duration START = Duration.ofSeconds(90);

  @TempDir Path folder;

  private final Map<String, String> answered = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger brokenOff = new AtomicInteger();
  private final ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
  private volatile boolean sending = true;
  private int port;
  private Path config;
  private Process service;

  @BeforeEach
  void configure() throws IOException {
    port = freePort();
    config = folder.resolve("config.yml");
    Files.writeString(
        config,
        """
        database:
          dataDir: data
        sources:
          revenexx:
            preset: revenexx
            api:
              url: http://127.0.0.1:9
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: %d}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: %d}]
        """
            .formatted(port, freePort()));
  }

  @AfterEach
  void killWhatIsLeft() throws Exception {
    sending = false;
    senders.shutdownNow();
    if (service != null) {
      service.destroyForcibly().waitFor();
    }
    List<ProcessHandle> left = postgres();
    left.forEach(ProcessHandle::destroyForcibly);
    // Before their folder is removed.
    await().until(() -> left.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void aKilledServiceLosesNoAnsweredEvent() throws Exception {
    start();
    deliverUntil(ANSWERED_BEFORE);

    service.destroyForcibly().waitFor();
    stopSending();

    start();
    deliverOne("after");
    everyAnsweredEventIsThere();
  }

  @Test
  void aKilledDatabaseLosesNoAnsweredEvent() throws Exception {
    start();
    deliverUntil(ANSWERED_BEFORE);

    List<ProcessHandle> killed = postgres();
    assertThat(killed).hasSizeGreaterThan(1);
    killed.forEach(ProcessHandle::destroyForcibly);
    await().until(() -> killed.stream().noneMatch(ProcessHandle::isAlive));
    service.destroyForcibly().waitFor();
    stopSending();

    start();
    deliverOne("after");
    everyAnsweredEventIsThere();
  }

  @Test
  void aServiceThatIsToldToStopAnswersWhatItTookInAndEnds() throws Exception {
    start();
    deliverUntil(ANSWERED_BEFORE);
    brokenOff.set(0);

    service.destroy();

    assertThat(service.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
    stopSending();
    // One may wait, connected, for a server that accepts no more.
    assertThat(brokenOff.get()).as("deliveries not answered").isLessThanOrEqualTo(1);
    assertThat(postgres()).as("its PostgreSQL is stopped too").isEmpty();

    start();
    deliverOne("after");
    everyAnsweredEventIsThere();
  }

  private void start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-jar",
            System.getProperty("hooktally.jar"),
            "server",
            config.toString());
    builder.directory(folder.toFile());
    builder.environment().put("REVENEXX_WEBHOOK_SECRET", SECRET);
    Path log = folder.resolve("log");
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    service = builder.start();
    await()
        .atMost(START)
        .failFast("it ended, see " + log, () -> !service.isAlive())
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> deliver("start_" + numbers.incrementAndGet(), "{}") < 300);
  }

  private void deliverUntil(int count) {
    for (int i = 0; i < SENDERS; i++) {
      senders.execute(
          () -> {
            while (sending) {
              deliverOne("evt_" + numbers.incrementAndGet());
            }
          });
    }
    await().atMost(START).until(() -> answered.size() > count);
  }

  // The kill comes in the middle of deliveries: some end without an answer.
  private void deliverOne(String id) {
    String body = "{\"order_id\":\"" + id + "\",\"text\":\"" + "ü".repeat(500) + "\"}";
    try {
      if (deliver(id, body) < 300) {
        answered.put(id, body);
      }
    } catch (ConnectException e) {
      // Nobody listens.
    } catch (IOException e) {
      // Not answered, so nothing is promised.
      brokenOff.incrementAndGet();
    }
  }

  private void stopSending() throws InterruptedException {
    sending = false;
    senders.shutdown();
    assertThat(senders.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  private int deliver(String id, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    int status =
        RawHttp.exchange(
                port,
                "POST /webhooks/revenexx HTTP/1.1\r\nHost: x\r\nX-Revenexx-Topic: order.updated\r\n"
                    + "X-Revenexx-Signature: "
                    + Signing.v0(SECRET, bytes)
                    + "\r\nX-Revenexx-Event-Id: "
                    + id
                    + "\r\nContent-Length: "
                    + bytes.length
                    + "\r\n\r\n",
                bytes)
            .status();
    if (status == 0) {
      throw new IOException("no answer");
    }
    return status;
  }

  private void everyAnsweredEventIsThere() {
    assertThat(answered).hasSizeGreaterThan(ANSWERED_BEFORE).containsKey("after");
    try (EmbeddedDatabase joined = EmbeddedDatabase.open(folder.resolve("data"));
        Database database = Database.open(joined.address(), PoolOptions.work("test", 2))) {
      Inbox inbox = new Inbox(database.jdbi(), "test");
      answered.forEach(
          (id, body) ->
              assertThat(inbox.payload("revenexx", id))
                  .as(id)
                  .hasValueSatisfying(
                      payload ->
                          assertThat(payload.body())
                              .isEqualTo(body.getBytes(StandardCharsets.UTF_8))));
    }
  }

  /** The postmaster on the data directory and its children. */
  private List<ProcessHandle> postgres() throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(one -> one.endsWith("postmaster.pid")).toList()) {
        long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
        ProcessHandle.of(pid)
            .ifPresent(
                postmaster -> {
                  found.add(postmaster);
                  postmaster.descendants().forEach(found::add);
                });
      }
    }
    return found;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
