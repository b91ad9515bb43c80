package io.hooktally.service.receive;

import static io.hooktally.service.receive.ReceiverServer.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.codahale.metrics.MetricRegistry;
import io.hooktally.service.SharedCases;
import io.hooktally.service.receive.RawHttp.Response;
import io.hooktally.store.inbox.Delivery;
import io.hooktally.store.inbox.Payload;
import io.hooktally.store.inbox.ProcessedEvent;
import io.hooktally.store.inbox.Refused;
import io.hooktally.store.inbox.RefusedDeliveries;
import io.hooktally.store.inbox.Troubles;
import io.hooktally.store.testing.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The application port over real sockets and a real database. */
class ReceiverIT {
  private static final int MAX = 64 * 1024;
  private static final byte[] BODY = utf8("{\"order_id\":\"1\"}");

  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  private static ReceiverServer server;
  private static int ids;

  @BeforeAll
  static void start() throws Exception {
    server =
        new ReceiverServer(
                DATABASE.get().jdbi(),
                new ReceiveLimits(MAX, 64L * 1024 * 1024, null),
                ReceiverServer.source("shop", SECRET, "whsec_previous"),
                ReceiverServer.source("keyless", "", " "),
                ReceiverServer.stripe("stripe", SECRET),
                ReceiverServer.unsigned("open"),
                ReceiverServer.hashed("hashed"))
            .start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void countsAddUp() {
    await()
        .untilAsserted(
            () -> {
              for (String source : List.of("shop", "keyless", "stripe", "open")) {
                Counts counts = server.counts(source);
                assertThat(counts.open()).isZero();
                assertThat(counts.decided()).isEqualTo(counts.delivered());
                assertThat(counts.addUp()).isTrue();
              }
            });
    assertThat(server.environment().healthChecks().runHealthCheck("receive-counts").isHealthy())
        .isTrue();
  }

  @Test
  void answersAcceptedThenDuplicateAlsoForAConflict() throws IOException {
    String id = newId();
    Response first = deliver(id, BODY);
    assertThat(first.status()).isEqualTo(202);
    assertThat(first.body()).isEqualTo("{\"status\":\"accepted\"}");
    assertThat(first.hasHeader("content-type: application/json")).isTrue();
    for (byte[] body : List.of(BODY, utf8("{}"))) {
      Response again = deliver(id, body);
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.body()).isEqualTo("{\"status\":\"duplicate\"}");
    }
    ProcessedEvent event = server.inbox().event("shop", id).orElseThrow();
    assertThat(event.topic()).isEqualTo("order.placed");
    assertThat(event.deliveries()).isEqualTo(3);
    assertThat(event.conflicts()).isOne();
    assertThat(server.counts("shop").of(Outcome.CONFLICT)).isPositive();
    assertThat(server.commits()).isPositive();
  }

  @Test
  void takesIdAndTopicFromTheBodyWhereNoHeaderHasThem() throws IOException {
    String id = newId();
    byte[] body = utf8("{\"id\":\"" + id + "\",\"type\":\"invoice.paid\"}");
    assertThat(raw("POST", "/webhooks/stripe", stripe(body), body)).isEqualTo(202);
    assertThat(raw("POST", "/webhooks/stripe", stripe(body), body)).isEqualTo(200);
    assertThat(server.inbox().event("stripe", id).orElseThrow().topic()).isEqualTo("invoice.paid");
    for (String none : List.of("{}", "[]", "no json", "{\"id\":{}}", "{\"id\":\"a b\"}", "")) {
      assertThat(raw("POST", "/webhooks/stripe", stripe(utf8(none)), utf8(none))).isEqualTo(400);
    }
    assertThat(raw("POST", "/webhooks/stripe", stripe(utf8("{}")), body)).isEqualTo(401);
  }

  @Test
  void theHashOfABodyStandsForTheIdWhereTheSourceSaysSo() throws IOException {
    byte[] body = utf8("{\"order_id\":\"" + newId() + "\"}");
    String id = Delivery.idByBody(Reception.sha256(body));
    for (int status : new int[] {202, 200, 200}) {
      assertThat(raw("POST", "/webhooks/hashed", "X-Shop-Topic: a.b\r\n", body)).isEqualTo(status);
    }
    ProcessedEvent event = server.inbox().event("hashed", id).orElseThrow();
    assertThat(event.deliveries()).isEqualTo(3);
    assertThat(event.conflicts()).isZero();
    assertThat(event.topic()).isEqualTo("a.b");

    String named = newId();
    assertThat(raw("POST", "/webhooks/hashed", "X-Shop-Event-Id: " + named + "\r\n", body))
        .isEqualTo(202);
    String unusable = "X-Shop-Event-Id: a\r\nX-Shop-Event-Id: b\r\n";
    assertThat(raw("POST", "/webhooks/hashed", unusable, body)).isEqualTo(400);
  }

  private static String stripe(byte[] body) {
    long now = Instant.now().getEpochSecond();
    byte[] signed = utf8(now + "." + new String(body, StandardCharsets.UTF_8));
    String signature = Signing.hex("HmacSHA256", SECRET, signed);
    return "Stripe-Signature: t=" + now + ",v1=" + signature + "\r\n";
  }

  @Test
  void measuresBytesTimesAndCommits() throws IOException {
    MetricRegistry metrics = server.environment().metrics();
    String name = "hooktally.receive.shop.";
    long bytes = metrics.counter(name + "bytes").getCount();
    long answers = metrics.timer(name + "answer-time").getCount();
    long commits = metrics.histogram("hooktally.receive.commit.deliveries").getCount();
    deliver(newId(), BODY);
    assertThat(metrics.counter(name + "bytes").getCount()).isEqualTo(bytes + BODY.length);
    assertThat(metrics.timer(name + "answer-time").getCount()).isEqualTo(answers + 1);
    assertThat(metrics.histogram("hooktally.receive.commit.deliveries").getCount())
        .isEqualTo(commits + 1);
  }

  @Test
  void keepsSamplesOfWhatItRefusesWithoutSecretsAndBodies() throws IOException {
    server.lookForTroubles();
    String right = Signing.hex("HmacSHA256", SECRET, BODY);
    byte[] wrong = utf8("{\"card\":\"4111\"}");
    for (int i = 0; i < 20; i++) {
      raw(
          "POST",
          "/webhooks/shop",
          "X-Shop-Event-Id: evt_sample\r\nX-Shop-Signature: v0="
              + right
              + "\r\nAuthorization: Bearer abcdef\r\nX-Other-Token: abcdef\r\nX-Note: a\tb\r\n",
          wrong);
    }
    raw("POST", "/webhooks/shop", "\r\n", new byte[MAX + 1]);
    raw("GET", "/webhooks/shop", "X-A: b\r\n", new byte[0]);

    RefusedDeliveries recorded = new RefusedDeliveries(DATABASE.get().jdbi());
    await()
        .until(
            () -> {
              server.lookForTroubles();
              return recorded.list("shop", 100).stream()
                  .anyMatch(one -> one.outcome().equals("refused.method"));
            });
    List<Refused> refused = recorded.list("shop", 100);
    assertThat(refused)
        .filteredOn(one -> one.outcome().equals("refused.signature"))
        .filteredOn(one -> one.headers().containsKey("X-Note"))
        .hasSize(RefusedSamples.MOST)
        .allSatisfy(
            one -> {
              assertThat(one.bodySize()).isEqualTo(wrong.length);
              assertThat(one.bodySha256())
                  .isEqualTo(HexFormat.of().formatHex(Reception.sha256(wrong)));
              assertThat(one.headers())
                  .containsEntry("X-Shop-Event-Id", List.of("evt_sample"))
                  .containsEntry("X-Shop-Signature", List.of("v0=… (67 characters)"))
                  .containsEntry("Authorization", List.of("… (13 characters)"))
                  .containsEntry("X-Other-Token", List.of("… (6 characters)"));
            });
    assertThat(refused.toString()).doesNotContain(right, "abcdef", "4111", SECRET);
    assertThat(refused).extracting(Refused::outcome).contains("refused.size", "refused.method");
    assertThat(
            new Troubles(DATABASE.get().jdbi())
                .list("shop", Instant.EPOCH, Instant.parse("2999-01-01T00:00:00Z"), 100))
        .filteredOn(span -> span.outcome().equals("refused.signature"))
        .allSatisfy(span -> assertThat(span.deliveries()).isGreaterThanOrEqualTo(20));
  }

  @Test
  void answersTheFirstOfTwoFaults() throws IOException {
    byte[] large = new byte[MAX + 1];
    String nothing = "\r\n";
    assertThat(raw("PUT", "/webhooks/nobody", nothing, large)).isEqualTo(404);
    assertThat(raw("PUT", "/webhooks/shop", nothing, large)).isEqualTo(405);
    assertThat(raw("POST", "/webhooks/keyless", nothing, large)).isEqualTo(413);
    assertThat(raw("POST", "/webhooks/keyless", nothing, BODY)).isEqualTo(503);
    assertThat(raw("POST", "/webhooks/shop", nothing, BODY)).isEqualTo(401);
    assertThat(raw("POST", "/webhooks/shop", signed(BODY), BODY)).isEqualTo(400);
    assertThat(raw("POST", "/webhooks/open", nothing, BODY)).isEqualTo(400);
    assertThat(chunked("keyless", "", large)).isEqualTo(413);
    assertThat(chunked("keyless", "", BODY)).isEqualTo(503);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/webhooks",
        "/webhooks/",
        "/webhooks/shop/",
        "/webhooks/shop/x",
        "/webhooks//shop",
        "/webhooks/shop;a=b",
        "/webhooks;a/shop",
        "/webhooks/shop%2F",
        "/webhooks%2Fshop",
        "/webhooks/%73hop",
        "/webhooks/x/../shop",
        "/webhooks/./shop",
        "/webhooks/SHOP",
        "/Webhooks/shop",
        "/api/runs",
        "/tasks/gc",
        "/healthcheck",
        "/favicon.ico",
        "/WEB-INF/web.xml",
        "/webhooks/shop\\",
        "/webhooks/shop%20"
      })
  void nothingElseIsThere(String path) throws IOException {
    for (String method : List.of("POST", "GET")) {
      Response response = exchange(method, path, signed(BODY) + id(newId()), BODY);
      assertThat(response.status()).as(method + " " + path).isEqualTo(404);
      tellsNothing(response);
    }
  }

  @Test
  void takesAQueryForWhatItIsAndChangesNothing() throws IOException {
    assertThat(raw("POST", "/webhooks/shop?id=x&a=%zz", signed(BODY) + id(newId()), BODY))
        .isEqualTo(202);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "BREW", "post"})
  void allowsPostOnly(String method) throws IOException {
    Response response = exchange(method, "/webhooks/shop", signed(BODY) + id(newId()), BODY);
    assertThat(response.status()).isEqualTo(405);
    assertThat(response.hasHeader("allow: POST")).isTrue();
    assertThat(raw(method, "/webhooks/nobody", "", BODY)).isEqualTo(404);
  }

  @Test
  void takesBodiesUpToTheLimit() throws IOException {
    byte[] largest = new byte[MAX];
    byte[] larger = new byte[MAX + 1];
    String id = newId();
    assertThat(deliver(id, largest).status()).isEqualTo(202);
    assertThat(server.inbox().payload("shop", id).orElseThrow().body()).isEqualTo(largest);
    assertThat(chunked("shop", signed(largest) + id(newId()), largest)).isEqualTo(202);
    assertThat(deliver(newId(), larger).status()).isEqualTo(413);
    assertThat(chunked("shop", signed(larger) + id(newId()), larger)).isEqualTo(413);
  }

  @Test
  void refusesALargeBodyByItsLengthAlone() throws IOException {
    try (RawHttp http = new RawHttp(server.port())) {
      Response response =
          http.send(
                  "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                      + "Content-Length: 999999999999\r\n\r\n")
              .response();
      assertThat(response.status()).isEqualTo(413);
      assertThat(response.body()).contains("" + MAX);
    }
  }

  @Test
  void withoutASecretNothingIsAccepted() throws IOException {
    for (String key : List.of(" ", "x")) {
      Response response =
          exchange(
              "POST",
              "/webhooks/keyless",
              "X-Shop-Signature: " + Signing.v0(key, BODY) + "\r\n" + id(newId()),
              BODY);
      assertThat(response.status()).isEqualTo(503);
      assertThat(response.hasHeader("retry-after: ")).isTrue();
    }
    assertThat(server.environment().healthChecks().runHealthCheck("receive-secrets").getMessage())
        .contains("sources.keyless.signature.secrets");
  }

  @Test
  void takesUnsignedDeliveriesOnlyWhereConfigured() throws IOException {
    String id = newId();
    assertThat(raw("POST", "/webhooks/open", id(id), BODY)).isEqualTo(202);
    assertThat(server.inbox().event("open", id)).isPresent();
  }

  @Test
  void answers401ForAnySignatureThatIsNone() throws IOException {
    String good = Signing.v0(SECRET, BODY);
    String id = newId();
    for (String headers :
        List.of(
            "",
            header("v0="),
            header("v0=abc"),
            header(good.substring(3)),
            header(Signing.v0("other", BODY)),
            header(good) + header(good),
            header("v0=\u00ff\u0080"),
            header("v0=" + "a".repeat(7000)))) {
      Response response = exchange("POST", "/webhooks/shop", headers + id(id), BODY);
      assertThat(response.status()).as(headers).isEqualTo(401);
      assertThat(response.body()).contains("X-Shop-Signature").doesNotContain("v0=");
      tellsNothing(response);
    }
    assertThat(raw("POST", "/webhooks/shop", header(good + "\u0000") + id(id), BODY))
        .isIn(400, 401);
    assertThat(server.inbox().event("shop", id)).isEmpty();
    assertThat(
            raw(
                "POST",
                "/webhooks/shop",
                "x-ShOP-siGNature: " + Signing.v0("whsec_previous", BODY) + "\r\n" + id(newId()),
                BODY))
        .isEqualTo(202);
  }

  @Test
  void answers400ForAnyEventIdThatIsNone() throws IOException {
    long events = events();
    for (String headers :
        List.of(
            "",
            "X-Shop-Event-Id:\r\n",
            "X-Shop-Event-Id:   \r\n",
            id("a b"),
            id("a\tb"),
            id("evt_\u00e9"),
            id("evt_\u00c3\u00a9"),
            id("x".repeat(256)),
            id("one") + id("two"),
            id("one") + id("one"),
            "X-Shopevent-Id: one\r\n",
            "x-shop-id: one\r\n")) {
      Response response = exchange("POST", "/webhooks/shop", signed(BODY) + headers, BODY);
      assertThat(response.status()).as(headers).isEqualTo(400);
      assertThat(response.body()).contains("X-Shop-Event-Id");
      assertThat(response.hasHeader("content-type: application/problem+json")).isTrue();
      tellsNothing(response);
    }
    assertThat(raw("POST", "/webhooks/shop", signed(BODY) + id("evt\u007f"), BODY)).isEqualTo(400);
    assertThat(events()).isEqualTo(events);
  }

  @Test
  void takesEveryVisibleCharacterInAnId() throws IOException {
    StringBuilder visible = new StringBuilder();
    for (char c = 0x21; c <= 0x7e; c++) {
      visible.append(c);
    }
    for (String id : List.of(visible.toString(), "x".repeat(255), "evt_A", "evt_a")) {
      assertThat(deliver(id, BODY).status()).isEqualTo(202);
      assertThat(server.inbox().event("shop", id)).isPresent();
    }
    // Blanks around a value are no part of it.
    assertThat(raw("POST", "/webhooks/shop", signed(BODY) + id(" evt_A \t"), BODY)).isEqualTo(200);
    assertThat(raw("POST", "/webhooks/shop", signed(BODY) + "x-shop-event-id: evt_a\r\n", BODY))
        .isEqualTo(200);
  }

  @Test
  void keepsNamedHeadersAndNoCredentials() throws IOException {
    String id = newId();
    raw(
        "POST",
        "/webhooks/shop",
        signed(BODY)
            + id(id)
            + "X-More: 1\r\nx-more: 2\r\nContent-Type: text/plain\r\nAuthorization: Basic c2VjcmV0\r\n"
            + "Cookie: sid=secret\r\nX-Api-Key: secret\r\nUnnamed: secret\r\n",
        BODY);
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(server.inbox().payload("shop", id).orElseThrow().headers());
    assertThat(headers.keySet().stream().map(name -> name.toLowerCase(Locale.ROOT)))
        .containsExactlyInAnyOrder("content-type", "x-more", "x-shop-event-id");
    assertThat(headers.get("X-More")).containsExactly("1", "2");
  }

  @Test
  void storesExactlyTheBytesHoweverTheyCome() throws Exception {
    String id = newId();
    String head = "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    try (RawHttp http = new RawHttp(server.port())) {
      http.send(head + signed(BODY) + id(id) + "Transfer-Encoding: chunked\r\n\r\n");
      for (byte one : BODY) {
        http.send("1;extension=\"x\"\r\n").send(new byte[] {one}).send("\r\n");
      }
      assertThat(http.send("0\r\nTrailer: x\r\n\r\n").response().status()).isEqualTo(202);
    }
    assertThat(server.inbox().payload("shop", id).orElseThrow().body()).isEqualTo(BODY);

    String second = newId();
    try (RawHttp http = new RawHttp(server.port())) {
      http.send(
          head
              + signed(BODY)
              + id(second)
              + "Expect: 100-continue\r\nContent-Length: "
              + BODY.length
              + "\r\n\r\n");
      for (byte one : BODY) {
        http.send(new byte[] {one});
      }
      assertThat(http.response().status()).isEqualTo(202);
    }
    assertThat(server.inbox().payload("shop", second).orElseThrow().body()).isEqualTo(BODY);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(bytes);
    }
    return zipped.toByteArray();
  }

  @Test
  void whatABodyInflatesToIsBoundedToo() throws IOException {
    String encoding = "content-encoding: GZIP\r\n";
    byte[] bomb = gzip(new byte[100 * MAX]);
    byte[] most = gzip(new byte[MAX]);
    assertThat(raw("POST", "/webhooks/shop", signed(bomb) + id(newId()) + encoding, bomb))
        .isEqualTo(413);
    assertThat(raw("POST", "/webhooks/shop", id(newId()) + encoding, bomb))
        .as("nobody's bomb is not even looked into")
        .isEqualTo(401);
    String id = newId();
    assertThat(raw("POST", "/webhooks/shop", signed(most) + id(id) + encoding, most))
        .isEqualTo(202);
    assertThat(server.inbox().payload("shop", id).orElseThrow().headers())
        .containsEntry("Content-Encoding", List.of("gzip"));
  }

  @Test
  void anIdInABodyIsFoundThroughGzip() throws IOException {
    String id = newId();
    byte[] body = gzip(utf8("{\"id\":\"" + id + "\",\"type\":\"invoice.paid\"}"));
    long now = Instant.now().getEpochSecond();
    ByteArrayOutputStream signed = new ByteArrayOutputStream();
    signed.write(utf8(now + "."));
    signed.write(body);
    String headers =
        "Stripe-Signature: t="
            + now
            + ",v1="
            + Signing.hex("HmacSHA256", SECRET, signed.toByteArray())
            + "\r\nContent-Encoding: gzip\r\n";
    assertThat(raw("POST", "/webhooks/stripe", headers, body)).isEqualTo(202);
    assertThat(server.inbox().payload("stripe", id).orElseThrow().body()).isEqualTo(body);
  }

  @Test
  void refusesContentEncodingsThatNobodyCouldRead() throws IOException {
    byte[] zipped = gzip(BODY);
    byte[] cut = Arrays.copyOf(zipped, zipped.length - 6);
    long events = events();
    assertThat(encoded("gzip", BODY)).isEqualTo(400);
    assertThat(encoded("gzip", cut)).isEqualTo(400);
    assertThat(encoded("br", BODY)).isEqualTo(415);
    assertThat(encoded("gzip, gzip", zipped)).isEqualTo(415);
    assertThat(events()).isEqualTo(events);
    assertThat(encoded("identity", BODY)).isEqualTo(202);
    assertThat(encoded("x-gzip", zipped)).isEqualTo(202);
  }

  private static int encoded(String encoding, byte[] body) throws IOException {
    String headers = signed(body) + id(newId()) + "Content-Encoding: " + encoding + "\r\n";
    return raw("POST", "/webhooks/shop", headers, body);
  }

  @Test
  void leavesEncodedBodiesAndFormsAsTheyAre() throws IOException {
    for (byte[] body : List.of(gzip(BODY), utf8("a=1&b=%C3%BC+x"))) {
      for (String more :
          List.of(
              "Content-Type: application/x-www-form-urlencoded;charset=UTF-8\r\n",
              "Content-Type: multipart/form-data; boundary=x\r\n",
              "Content-Type: \u00ff/,;;\r\n")) {
        String id = newId();
        assertThat(raw("POST", "/webhooks/shop", signed(body) + id(id) + more, body))
            .isEqualTo(202);
        Payload payload = server.inbox().payload("shop", id).orElseThrow();
        assertThat(payload.body()).isEqualTo(body);
      }
    }
  }

  @Test
  void storesNothingOfABodyThatDoesNotEndAsAnnounced() throws Exception {
    long events = events();
    long aborted = server.counts("shop").of(Outcome.ABORTED);
    String head = "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\n" + signed(BODY) + id("evt_broken");
    String chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
    String longer = head + "Content-Length: " + (BODY.length + 10) + "\r\n\r\n";
    for (String broken : List.of(chunked + "5\r\n{\"ord", longer + "{\"order_id\":\"1\"}")) {
      try (RawHttp http = new RawHttp(server.port())) {
        http.send(broken).reset();
      }
    }
    try (RawHttp http = new RawHttp(server.port())) {
      Response response = http.send(chunked + "zz\r\n{}\r\n0\r\n\r\n").response();
      assertThat(response.status()).isIn(0, 400);
      tellsNothing(response);
    }
    // Stalls until the connection's idle time-out.
    try (RawHttp http = new RawHttp(server.port())) {
      assertThat(http.send(longer).response().status()).isIn(0, 400, 408);
    }
    await()
        .untilAsserted(
            () -> assertThat(server.counts("shop").of(Outcome.ABORTED)).isEqualTo(aborted + 4));
    assertThat(events()).isEqualTo(events);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense\r\n\r\n",
        "POST /webhooks/shop%00 HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /webhooks/%ff HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /webhooks/% HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /webhooks/shop HTTP/9.9\r\nHost: x\r\n\r\n",
        "POST /webhooks/shop\r\n\r\n",
        "POST /webhooks/shop HTTP/1.1\r\n\r\n",
        "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
        "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n"
      })
  void tellsNoInternalsForMalformedHttp(String request) throws IOException {
    try (RawHttp http = new RawHttp(server.port())) {
      Response response = http.send(request).response();
      assertThat(response.status() == 0 || response.status() >= 400).isTrue();
      tellsNothing(response);
    }
  }

  @Test
  void tellsNoInternalsForWhatIsTooLong() throws IOException {
    String long9k = "x".repeat(9000);
    for (String request :
        List.of(
            "POST /webhooks/" + long9k + " HTTP/1.1\r\nHost: x\r\n\r\n",
            "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nX-A: " + long9k + "\r\n\r\n")) {
      try (RawHttp http = new RawHttp(server.port())) {
        Response response = http.send(request).response();
        assertThat(response.status()).isIn(414, 431);
        tellsNothing(response);
      }
    }
  }

  @Test
  void keepsAConnectionForTheNextDelivery() throws IOException {
    try (RawHttp http = new RawHttp(server.port())) {
      for (int i = 0; i < 5; i++) {
        String head =
            "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\n"
                + signed(BODY)
                + id(newId())
                + "Content-Length: "
                + BODY.length
                + "\r\n\r\n";
        assertThat(http.send(head).send(BODY).response().status()).isEqualTo(202);
      }
    }
  }

  @Test
  void keepsBodiesOfEveryKindByteForByte() throws IOException {
    List<byte[]> bodies =
        List.of(
            new byte[0],
            utf8(" "),
            utf8("null"),
            utf8("42"),
            utf8("[]"),
            utf8("{\"a\":\"\\u0000\"}"),
            utf8("{\"a\":\"\\ud800\"}"),
            utf8("{\"id\":9223372036854775808,\"f\":1.10}"),
            utf8("{\"a\":1,\"a\":2}"),
            utf8("\ufeff{\"a\":1}"),
            utf8("{ \"b\" : 1 ,\r\n\"a\":\"\\u001B 😀\"}"),
            utf8("not JSON at all"),
            new byte[] {0, (byte) 0xff, (byte) 0xfe, 10, 13, 0},
            utf8("[".repeat(2000)));
    for (byte[] body : bodies) {
      String id = newId();
      assertThat(deliver(id, body).status()).isEqualTo(202);
      assertThat(server.inbox().payload("shop", id).orElseThrow().body()).isEqualTo(body);
    }
  }

  @Test
  void keepsEveryPublicBodyByteForByte() throws Exception {
    Optional<Path> cases = SharedCases.folder();
    assumeTrue(cases.isPresent(), "no ../shared/cases: own bodies only");
    List<Path> files;
    try (Stream<Path> listed = Files.list(cases.get().resolve("payloads"))) {
      files = listed.filter(Files::isRegularFile).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThan(100);
    int mebibyte = 1024 * 1024;
    try (ReceiverServer roomy =
        new ReceiverServer(
                DATABASE.get().jdbi(),
                new ReceiveLimits(mebibyte, 64L * mebibyte, null),
                ReceiverServer.source("roomy", SECRET))
            .start()) {
      for (Path file : files) {
        byte[] body = Files.readAllBytes(file);
        String id = newId();
        String head =
            "POST /webhooks/roomy HTTP/1.1\r\nHost: x\r\n"
                + signed(body)
                + id(id)
                + "Content-Length: "
                + body.length
                + "\r\n\r\n";
        int status = RawHttp.exchange(roomy.port(), head, body).status();
        assertThat(status).as(file.toString()).isEqualTo(body.length > mebibyte ? 413 : 202);
        if (status == 202) {
          assertThat(roomy.inbox().payload("roomy", id).orElseThrow().body())
              .as(file.toString())
              .isEqualTo(body);
        }
      }
    }
  }

  private static void tellsNothing(Response response) {
    assertThat(response.head() + response.body())
        .doesNotContainIgnoringCase("jetty")
        .doesNotContainIgnoringCase("exception")
        .doesNotContainIgnoringCase("servlet")
        .doesNotContainIgnoringCase("<html")
        .doesNotContain("io.hooktally", "Caused by", "\tat ");
    if (!response.body().isEmpty()) {
      assertThat(response.hasHeader("content-type: application/problem+json")).isTrue();
    }
  }

  private static long events() {
    return DATABASE
        .get()
        .jdbi()
        .withHandle(
            handle ->
                handle.createQuery("select count(*) from processed_event").mapTo(Long.class).one());
  }

  private static Response deliver(String id, byte[] body) throws IOException {
    return exchange(
        "POST", "/webhooks/shop", signed(body) + id(id) + "X-Shop-Topic: order.placed\r\n", body);
  }

  private static int raw(String method, String path, String headers, byte[] body)
      throws IOException {
    return exchange(method, path, headers, body).status();
  }

  private static Response exchange(String method, String path, String headers, byte[] body)
      throws IOException {
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: "
            + body.length
            + "\r\n"
            + headers.strip()
            + (headers.isBlank() ? "" : "\r\n")
            + "\r\n";
    return RawHttp.exchange(server.port(), head, body);
  }

  private static int chunked(String source, String headers, byte[] body) throws IOException {
    try (RawHttp http = new RawHttp(server.port())) {
      http.send(
          "POST /webhooks/"
              + source
              + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
              + headers
              + "\r\n");
      try {
        for (int from = 0; from < body.length; from += 10_000) {
          byte[] part = Arrays.copyOfRange(body, from, Math.min(body.length, from + 10_000));
          http.send(Integer.toHexString(part.length) + "\r\n").send(part).send("\r\n");
        }
        http.send("0\r\n\r\n");
      } catch (IOException e) {
        // Answered and closed before the end.
      }
      return http.response().status();
    }
  }

  private static String signed(byte[] body) {
    return header(Signing.v0(SECRET, body));
  }

  private static String header(String signature) {
    return "X-Shop-Signature: " + signature + "\r\n";
  }

  private static String id(String id) {
    return "X-Shop-Event-Id: " + id + "\r\n";
  }

  private static String newId() {
    return "evt_" + ids++;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
