package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hooktally.reconcile.source.SourceUnavailableException.Kind;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.store.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class SourceClientIT {
  private static final Instant NOW = Instant.parse("2026-05-11T12:00:00Z");
  private final HandClock sourceClock = new HandClock(NOW);
  private final FakeSource source = new FakeSource(sourceClock);

  @AfterEach
  void close() {
    source.close();
  }

  private SourceClient client() {
    return new SourceClient(source.config(), new HandClock(NOW.plusSeconds(5000)));
  }

  private static SourceConfig with(SourceConfig config, ApiConfig api) {
    return new SourceConfig(
        config.name(),
        config.signature(),
        config.event(),
        api,
        config.lag(),
        config.settle(),
        config.entities());
  }

  private static ApiConfig api(String url, Duration callTimeout, Map<String, Secret> secrets) {
    return new ApiConfig(
        url,
        Map.of(),
        secrets,
        callTimeout,
        Duration.ofSeconds(1),
        2,
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        0.0,
        4,
        new ByteSize(100_000));
  }

  @Test
  void readsTheWholeEntity() {
    source.put("o1", NOW.minusSeconds(1));
    ReadResult.Found found = (ReadResult.Found) client().read("order", "o1");
    assertThat(found.body().at("/positions/0/sku").asText()).isEqualTo("A-1");
    assertThat(found.body().get("grand_total").decimalValue().toPlainString()).isEqualTo("10.5000");
    assertThat(found.modified()).isEqualTo(NOW.minusSeconds(1));
    assertThat(found.sourceNow()).isEqualTo(NOW);
  }

  @Test
  void theSourcesClockIsItsDate() {
    try (SourceClient client = client()) {
      assertThat(client.now()).isEqualTo(NOW.plusSeconds(5000));
      client.probe("order");
      assertThat(client.now()).isEqualTo(NOW);
    }
  }

  @Test
  void goneIsGone() {
    assertThat(client().read("order", "nope")).isEqualTo(new ReadResult.Gone(404, NOW));
    source.fault((path, query, n) -> Optional.of(Response.json(410, "{}")));
    assertThat(client().read("order", "nope")).isEqualTo(new ReadResult.Gone(410, NOW));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\": \"cus_1\", \"object\": \"customer\", \"deleted\": true}|true",
        "{\"id\": \"cus_1\", \"object\": \"customer\", \"deleted\": false}|false",
        "{\"id\": \"cus_1\", \"object\": \"customer\", \"deleted\": null}|false",
        "{\"id\": \"cus_1\", \"object\": \"customer\", \"deleted\": \"2026-01-01\"}|false"
      })
  void aStubThatSaysDeletedIsGone(String body, boolean gone) {
    source.fault((path, query, n) -> Optional.of(Response.json(200, body)));
    String entity = "{\"read\": {\"path\": \"/v1/orders/{id}\", \"deleted\": \"/deleted\"}}";
    try (SourceClient client = new SourceClient(source.config(entity), sourceClock)) {
      assertThat(client.read("order", "cus_1") instanceof ReadResult.Gone).isEqualTo(gone);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b",
        "../orders",
        "a?x=1",
        "a%2Fb",
        "100%",
        "a b",
        "ä+ö",
        "a#b",
        "...",
        "a;b",
        "%2e%2e"
      })
  void anIdIsOneSegmentOfThePath(String id) {
    source.put(id, NOW);
    assertThat(client().read("order", id)).isInstanceOf(ReadResult.Found.class);
    String path = source.requests().get(0);
    assertThat(path).startsWith("/v1/orders/");
    assertThat(path.substring("/v1/orders/".length())).doesNotContain("/", "?", "#");
  }

  @ParameterizedTest
  @ValueSource(strings = {".", ".."})
  void anIdThatNoPathCanHoldIsRefused(String id) {
    assertThatThrownBy(() -> client().read("order", id)).isInstanceOf(SourceRefusedException.class);
    assertThat(source.requests()).isEmpty();
  }

  @Test
  void anotherEntityIsRefused() {
    source.fault(
        (path, query, n) ->
            Optional.of(Response.json(200, "{\"id\": \"o2\", \"updated_at\": null}")));
    assertThatThrownBy(() -> client().read("order", "o1"))
        .isInstanceOf(SourceRefusedException.class)
        .hasMessageContaining("not that entity");
  }

  @Test
  void numberAndTextOfTheSameDigitsAreOneId() {
    source.fault((path, query, n) -> Optional.of(Response.json(200, "{\"id\": 9007199254740993}")));
    assertThat(client().read("order", "9007199254740993")).isInstanceOf(ReadResult.Found.class);
  }

  @ParameterizedTest
  @CsvSource({
    "401, DENIED, 1",
    "403, DENIED, 1",
    "408, TIMEOUT, 3",
    "429, THROTTLED, 3",
    "500, SERVER_ERROR, 3",
    "503, SERVER_ERROR, 3"
  })
  void outagesAreRetriedWhereTheyMayPass(int status, Kind kind, int requests) {
    source.fault(
        (path, query, n) -> Optional.of(Response.json(status, "{}").with("Retry-After", "3600")));
    SourceUnavailableException e =
        catchThrowableOfType(SourceUnavailableException.class, () -> client().read("order", "o1"));
    assertThat(e.kind()).isEqualTo(kind);
    assertThat(e.status()).isEqualTo(status);
    assertThat(e.retryAfter()).contains(Duration.ofHours(1));
    assertThat(source.requests()).hasSize(requests);
  }

  @Test
  void anAnswerAfterAFewFailuresIsAnAnswer() {
    source.put("o1", NOW);
    source.fault(
        (path, query, n) -> n < 3 ? Optional.of(Response.json(502, "")) : Optional.empty());
    assertThat(client().read("order", "o1")).isInstanceOf(ReadResult.Found.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 301, 302, 307, 400, 405, 422})
  void otherStatusesAreRefused(int status) {
    source.fault(
        (path, query, n) ->
            Optional.of(
                Response.json(status, "").with("Location", source.url() + "/v1/orders/o9")));
    assertThatThrownBy(() -> client().read("order", "o1"))
        .isInstanceOf(SourceRefusedException.class);
    assertThat(source.requests()).hasSize(1);
  }

  @Test
  void anAnswerTooLargeIsRefused() {
    source.fault(
        (path, query, n) ->
            Optional.of(
                Response.json(200, "{\"id\":\"o1\",\"x\":\"" + "y".repeat(1 << 20) + "\"}")));
    assertThatThrownBy(() -> client().read("order", "o1"))
        .isInstanceOf(SourceRefusedException.class)
        .hasMessageContaining("maxResponse");
  }

  @Test
  void missingCredentialsAreNamed() {
    SourceConfig config =
        with(
            source.config(),
            api(source.url(), Duration.ofSeconds(2), Map.of("X-Key", Secret.none())));
    try (SourceClient client = new SourceClient(config, sourceClock)) {
      SourceUnavailableException e =
          catchThrowableOfType(SourceUnavailableException.class, () -> client.probe("order"));
      assertThat(e.kind()).isEqualTo(Kind.NOT_CONFIGURED);
      assertThat(e).hasMessageContaining("sources.shop.api.secretHeaders.X-Key");
    }
    assertThat(source.requests()).isEmpty();
  }

  @Test
  void aSecretThatFitsNoHeaderDoesNotShow() {
    SourceConfig config =
        with(
            source.config(),
            api(source.url(), Duration.ofSeconds(2), Map.of("X-Key", new Secret("s3\npssst"))));
    try (SourceClient client = new SourceClient(config, sourceClock)) {
      assertThatThrownBy(() -> client.probe("order"))
          .isInstanceOf(SourceUnavailableException.class)
          .hasMessageNotContaining("pssst")
          .hasNoCause();
    }
  }

  @Test
  void aSourceThatDripsIsCutOff() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SourceClient client =
            new SourceClient(
                with(
                    source.config(),
                    api(
                        "http://127.0.0.1:" + server.getLocalPort(),
                        Duration.ofMillis(300),
                        Map.of())),
                sourceClock)) {
      ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
      threads.execute(() -> drip(server, threads));
      SourceUnavailableException e =
          catchThrowableOfType(SourceUnavailableException.class, () -> client.probe("order"));
      assertThat(e.kind()).isEqualTo(Kind.TIMEOUT);
      threads.shutdownNow();
    }
  }

  private static void drip(ServerSocket server, ScheduledExecutorService threads) {
    try {
      while (true) {
        Socket socket = server.accept();
        socket.getOutputStream().write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
        java.util.concurrent.Future<?> unused =
            threads.scheduleAtFixedRate(() -> oneByte(socket), 0, 50, TimeUnit.MILLISECONDS);
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  private static void oneByte(Socket socket) {
    try {
      socket.getOutputStream().write('x');
      socket.getOutputStream().flush();
    } catch (IOException e) {
      throw new IllegalStateException("cut off", e);
    }
  }

  @Test
  void anAnswerCutShortIsNoAnswer() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SourceClient client =
            new SourceClient(
                with(
                    source.config(),
                    api(
                        "http://127.0.0.1:" + server.getLocalPort(),
                        Duration.ofSeconds(2),
                        Map.of())),
                sourceClock)) {
      Thread thread = new Thread(() -> cutShort(server));
      thread.start();
      SourceUnavailableException e =
          catchThrowableOfType(SourceUnavailableException.class, () -> client.probe("order"));
      assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
    }
  }

  private static void cutShort(ServerSocket server) {
    try {
      while (true) {
        try (Socket socket = server.accept()) {
          socket.getInputStream().read();
          socket
              .getOutputStream()
              .write(
                  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"items\":[]"
                      .getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  @Test
  void waitingIsInterruptible() {
    SourceConfig config = source.config();
    ApiConfig patient =
        new ApiConfig(
            source.url(),
            Map.of(),
            Map.of(),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            5,
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            0.0,
            4,
            new ByteSize(100_000));
    source.fault((path, query, n) -> Optional.of(Response.json(429, "{}")));
    Thread reader = Thread.currentThread();
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(1);
    java.util.concurrent.Future<?> unused =
        threads.schedule(reader::interrupt, 300, TimeUnit.MILLISECONDS);
    try (SourceClient client = new SourceClient(with(config, patient), sourceClock)) {
      SourceUnavailableException e =
          catchThrowableOfType(SourceUnavailableException.class, () -> client.probe("order"));
      assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED);
      assertThat(Thread.interrupted()).isTrue();
    } finally {
      threads.shutdownNow();
    }
  }
}
