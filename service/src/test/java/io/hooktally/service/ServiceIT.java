package io.hooktally.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import io.hooktally.store.Lease;
import io.hooktally.store.Leases;
import io.hooktally.store.inbox.Delivery;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.inbox.Receipt;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole service on its own PostgreSQL: its ports, tasks, API and health. */
class ServiceIT {
  @TempDir static Path folder;
  private static RunningService service;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    Path config = folder.resolve("config.yml");
    Files.writeString(
        config,
        """
        server:
          applicationConnectors: [{type: http, port: 0}]
          adminConnectors: [{type: http, port: 0}]
        logging: {level: WARN}
        sources:
          shop:
            preset: revenexx
            api:
              url: http://127.0.0.1:1
              attempts: 1
              headers: {X-Revenexx-Tenant: t}
              secretHeaders: {X-Revenexx-Api-Key: "${KEY}"}
        """);
    service =
        RunningService.start(
            new HooktallyApplication(InstantSource.system(), Map.of("KEY", "k")::get), config);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|source must be one of [shop]",
        "source=other|source must be one of [shop]",
        "source=shop&entity=cart|entity must be one of [order]",
        "source=shop|from is missing",
        "source=shop&from=yesterday&to=2026-11-02|from cannot be read",
        "source=shop&from=2026-11-01&to=soon|to cannot be read",
        "source=shop&from=2026-11-02&to=2026-11-01|from must be before to",
        "source=shop&from=2026-11-01&to=2026-11-02&dryRun=perhaps|dryRun must be true or false",
        "source=shop&from=2026-11-01&to=2999-01-01|'to' may be at most",
      })
  void aBadParameterIsNamed(String parameters, String message) throws Exception {
    for (String task : new String[] {"reconcile", "backfill"}) {
      HttpResponse<String> answer = post("/tasks/" + task + "?" + parameters, "");

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      assertThat(json(answer).path("detail").asText()).contains(message);
    }
  }

  @Test
  void aRunGoesOnInTheBackgroundAndTellsHowItEnded() throws Exception {
    HttpResponse<String> answer =
        post("/tasks/reconcile", "source=shop&entity=order&from=2026-11-01&to=2026-11-02");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    String run = "/api/runs/" + json(answer).path("run").asLong();
    // Nobody listens where the source should be.
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> json(get(run)).path("state").asText().equals("failed"));
    JsonNode report = json(get(run));
    assertThat(report.path("source").asText()).isEqualTo("shop");
    assertThat(report.path("error").asText()).isNotBlank();
    assertThat(report.path("counts").path("found").asInt()).isZero();
    assertThat(report.path("verdict").asText()).contains("nothing is known");
    HttpResponse<String> page = get(run + "/report.html");
    assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'none'");
    assertThat(page.body()).contains("nothing is known", "</html>");
    HttpResponse<String> csv = get(run + "/disagreements.csv");
    assertThat(csv.headers().firstValue("Content-Type")).hasValue("text/csv;charset=utf-8");
    assertThat(csv.body()).startsWith("run,source,entity_type,entity_id,kind,state");
    assertThat(json(get(run + "/disagreements?limit=1")).path("disagreements").isEmpty()).isTrue();
    assertThat(json(get("/api/runs")).path("runs").findValuesAsText("id"))
        .contains(String.valueOf(json(answer).path("run").asLong()));
    String mine = String.valueOf(json(answer).path("run").asLong());
    String these = "/api/runs?source=shop&entity=order&reason=manual&state=";
    assertThat(json(get(these + "failed")).path("runs").findValuesAsText("id")).contains(mine);
    assertThat(json(get(these + "done")).path("runs").findValuesAsText("id")).doesNotContain(mine);
    assertThat(json(get("/api/runs?source=other")).path("runs").isEmpty()).isTrue();
  }

  @Test
  void aRunWhoseLeaseIsHeldIsRefusedNamingTheHolder() throws Exception {
    Leases leases = new Leases(service.pieces().storage().work());
    Lease lease =
        Awaitility.await()
            .until(
                () -> leases.acquire("run:shop:order", "somebody else", Duration.ofMinutes(1)),
                java.util.Optional::isPresent)
            .orElseThrow();
    try {
      HttpResponse<String> answer =
          post("/tasks/backfill", "source=shop&from=2026-11-01&to=2026-11-02");

      assertThat(answer.statusCode()).isEqualTo(409);
      assertThat(json(answer).path("holder").asText()).isEqualTo("somebody else");
    } finally {
      leases.release(lease);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cancel|''|run must be a run's number",
        "cancel|run=999999|there is no run 999999",
        "resume|run=x|run must be a run's number",
        "resume|run=999999|there is no run 999999",
        "accept|source=other|source must be one of [shop]",
        "accept|source=shop&id=1|reason is missing",
        "accept|source=shop&id=1&reason=so|names nothing that is open",
        "approve|run=999999|none that holds something back",
        "approve|all=true|'all' is no parameter here",
        "watermark|source=shop|at is missing",
        "watermark|source=shop&at=2999-01-01|must not lie in the future",
        "reconcile|source=shop&all=true&from=2026-11-01|all leaves no room",
        "reconcile|source=shop&all=perhaps|all must be true or false",
        "parked-retry|''|all must be true where no other word",
        "parked-retry|all=true&id=1|all must be true where no other word",
        "parked-retry|all=perhaps|all must be true or false",
        "parked-retry|id=1,x|id must be numbers of parked events, such as 42 or 42,43",
        "parked-retry|id=999999|choose no parked event",
        "parked-retry|kind=bad|kind must be poison or invalid",
        "parked-discard|id=1|reason is missing; write why it is given up",
        "parked-discard|id=1&why=so|'why' is no parameter here",
        "consumer-pause|source=shop|reason is missing; write why it is paused",
        "consumer-pause|source=other&reason=x|source must be one of [shop]",
        "consumer-pause|source=shop&consumer=mail&reason=x|consumer must be one of [replica]",
        "consumer-resume|source=shop|consumer is not paused",
        "replay|source=shop|from is missing",
        "replay|source=shop&from=2026-11-01&to=soon|to cannot be read as a time",
        "replay|source=shop&from=2026-11-02&to=2026-11-01|from must be before to",
        "replay|source=shop&from=2026-11-01&to=2026-11-02&id=7|entity must be one of [order]",
        "replay|source=shop&from=2026-11-01&to=2026-11-02&entity=order|id is missing",
      })
  void whatCannotBeDoneIsSaid(String task, String parameters, String message) throws Exception {
    HttpResponse<String> answer = post("/tasks/" + task + "?" + parameters, "");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer).path("detail").asText()).contains(message);
  }

  @Test
  void aRunIsFollowedAndTakenUpAgainAndAWatermarkIsSet() throws Exception {
    HttpResponse<String> started = post("/tasks/reconcile", "source=shop&all=true");
    assertThat(started.statusCode()).as(started.body()).isEqualTo(202);
    long run = json(started).path("run").asLong();
    awaitFailed(run, 0);

    HttpResponse<String> resumed = post("/tasks/resume", "run=" + run);
    assertThat(resumed.statusCode()).as(resumed.body()).isEqualTo(200);
    assertThat(json(resumed).path("run").asLong()).isEqualTo(run);
    awaitFailed(run, 1);
    HttpResponse<String> late = post("/tasks/cancel", "run=" + run);
    assertThat(json(late).path("detail").asText()).contains("has ended");

    assertThat(json(post("/tasks/watermark", "source=shop&at=2026-11-02&who=ada")).has("was"))
        .isTrue();
    assertThat(json(get("/api/watermarks?source=shop&entity=order")).path("at").asText())
        .isEqualTo("2026-11-02T00:00:00Z");
    assertThat(json(get("/api/disagreements?source=shop&entity=order")).path("open").asInt(-1))
        .isZero();
    assertThat(get("/api/disagreements").statusCode()).isEqualTo(400);
    assertThat(get("/api/runs/999999/progress").statusCode()).isEqualTo(404);
  }

  @Test
  void aParkedEventIsShownWholeReadAgainAndGivenUpAndAllOfItIsOnRecord() throws Exception {
    store("evt_bad", "no json");
    JsonNode parked = awaitParked("evt_bad");
    assertThat(parked.path("kind").asText()).isEqualTo("invalid");
    assertThat(parked.path("topic").asText()).isEqualTo("order.placed");
    assertThat(parked.path("error").asText()).contains("not JSON").doesNotContain("no json");

    JsonNode whole = json(get("/api/parked/" + parked.path("id").asLong()));
    assertThat(whole.path("payload").path("text").asText()).isEqualTo("no json");
    assertThat(whole.path("payload").path("base64").asText()).isEqualTo("bm8ganNvbg==");
    assertThat(whole.path("payload").path("headers").path("X-A").path(0).asText()).isEqualTo("1");

    long first = parked.path("id").asLong();
    HttpResponse<String> retried = post("/tasks/parked-retry", "id=" + first + "&who=ada");
    assertThat(json(retried).path("retried").asInt()).as(retried.body()).isEqualTo(1);
    JsonNode again = awaitParked("evt_bad");
    assertThat(again.path("id").asLong()).isGreaterThan(first);

    HttpResponse<String> discarded =
        post("/tasks/parked-discard", "event=evt_bad&reason=a+test&who=ada");
    assertThat(json(discarded).path("discarded").asInt()).as(discarded.body()).isEqualTo(1);
    assertThat(json(get("/api/parked?event=evt_bad")).path("parked").isEmpty()).isTrue();
    JsonNode audit = json(get("/api/audit?limit=2")).path("audit");
    assertThat(audit.findValuesAsText("action")).containsExactly("discard", "retry");
    assertThat(audit.findValuesAsText("who")).containsOnly("ada");
    assertThat(audit.path(0).path("detail").path("reason").asText()).isEqualTo("a test");
  }

  @Test
  void aConsumerIsPausedAndASpanIsReplayed() throws Exception {
    assertThat(post("/tasks/consumer-pause", "source=shop&reason=a+test").statusCode())
        .isEqualTo(200);
    assertThat(json(post("/tasks/consumer-pause", "source=shop&reason=x")).path("detail").asText())
        .contains("is paused already");
    // Not readable: there is no source that could be asked for an entity.
    store("evt_again", "[]");
    awaitParked("evt_again");

    HttpResponse<String> replayed =
        post("/tasks/replay", "source=shop&from=2020-01-01&to=2999-01-01&topic=order.*");
    assertThat(json(replayed).path("events").asInt()).as(replayed.body()).isPositive();
    assertThat(json(replayed).path("lost").asInt(-1)).isZero();

    JsonNode consumer = json(get("/api/consumers")).path("consumers").path(0);
    assertThat(consumer.path("name").asText()).isEqualTo("replica");
    assertThat(consumer.path("paused").asBoolean()).isTrue();
    assertThat(consumer.path("pauseReason").asText()).isEqualTo("a test");
    assertThat(consumer.path("pausedBy").asText()).isEqualTo("the admin port");
    assertThat(consumer.has("oldestPendingSeconds")).isTrue();
    assertThat(json(post("/tasks/consumer-resume", "source=shop")).path("resumed").asText())
        .isEqualTo("replica of shop");
    assertThat(service.pieces().dispatchers().get("shop").queue().sums().holds()).isTrue();
  }

  private void store(String event, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    assertThat(
            new Inbox(service.pieces().storage().work(), "test")
                .store(
                    List.of(
                        new Delivery(
                            "shop",
                            event,
                            "order.placed",
                            Map.of("X-A", List.of("1")),
                            bytes,
                            bytes))))
        .containsExactly(Receipt.STORED);
  }

  private JsonNode awaitParked(String event) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> json(get("/api/parked?event=" + event)).path("parked").path(0),
            found -> found.has("id"));
  }

  private void awaitFailed(long run, int resumed) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              JsonNode progress = json(get("/api/runs/" + run + "/progress"));
              return progress.path("state").asText().equals("failed")
                  && progress.path("resumed").asInt() == resumed;
            });
  }

  @ParameterizedTest
  @CsvSource({
    "/api/runs/999999, 404",
    "/api/runs/one, 400",
    "/api/runs?state=asleep, 400",
    "/api/runs?reason=why, 400",
    "/api/runs/999999/report.html, 404",
    "/api/runs/999999/disagreements.csv, 404",
    "/api/runs/999999/disagreements, 404",
    "/api/runs/1/disagreements?limit=0, 400",
    "/api/none, 404",
    "/api/parked/one, 400",
    "/api/parked/999999, 404",
    "/api/parked?kind=bad, 400",
    "/api/parked?after=x, 400",
    "/api/parked?limit=1001, 400",
    "/api/parked?sort=id, 400",
    "/api/audit?before=x, 400",
    "/tasks/replay, 405",
    "/tasks/reconcile, 405"
  })
  void errorsAreProblems(String path, int status) throws Exception {
    HttpResponse<String> answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(json(answer).path("status").asInt()).isEqualTo(status);
  }

  @Test
  void aSourceWithoutASecretIsUnhealthyAndSaysWhy() throws Exception {
    HttpResponse<String> health = get("/healthcheck");

    assertThat(health.statusCode()).isEqualTo(500);
    assertThat(health.body()).contains("shop").contains("secret");
    assertThat(json(health).path("database").path("healthy").asBoolean()).isTrue();
    assertThat(json(health).path("dispatch-shop").path("healthy").asBoolean()).isTrue();
    assertThat(
            http.send(
                    HttpRequest.newBuilder(service.deliveries().resolve("/webhooks/shop"))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                    HttpResponse.BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(503);
  }

  @ParameterizedTest
  @CsvSource({"/api/runs", "/tasks/reconcile", "/healthcheck"})
  void theApplicationPortHasNothingOfTheAdminPort(String path) throws Exception {
    assertThat(
            http.send(
                    HttpRequest.newBuilder(service.deliveries().resolve(path)).build(),
                    HttpResponse.BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site",
    "Origin, https://example.com",
    "Origin, null"
  })
  void webPagesOfOthersAreKeptOut(String header, String value) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(service.admin().resolve("/tasks/gc"))
            .header(header, value)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();

    assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(403);
  }

  @Test
  void aForeignHostNameIsKeptOut() throws Exception {
    try (java.net.Socket socket =
        new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), service.admin().getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET /api/runs HTTP/1.1\r\nHost: rebound.example.com\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 " + HttpURLConnection.HTTP_FORBIDDEN);
    }
  }

  @Test
  void whatWentWrongWithDeliveriesIsListedAndAnEventShownWhole() throws Exception {
    for (String path : new String[] {"troubles", "refused", "conflicts"}) {
      assertThat(json(get("/api/" + path + "?source=shop")).path(path).isArray()).isTrue();
      assertThat(get("/api/" + path).statusCode()).isEqualTo(400);
    }
    assertThat(get("/api/troubles?source=shop&from=yesterday").statusCode()).isEqualTo(400);
    assertThat(get("/api/event?source=shop&id=none").statusCode()).isEqualTo(404);

    byte[] body = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    Inbox inbox = new Inbox(service.pieces().storage().work(), "test");
    for (String text : new String[] {"{\"a\":1}", "\u00ff"}) {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      inbox.store(
          List.of(
              new Delivery(
                  "shop",
                  "evt_whole",
                  "order.placed",
                  Map.of("X-A", List.of("b", "c")),
                  bytes,
                  MessageDigest.getInstance("SHA-256").digest(bytes))));
    }
    JsonNode event = json(get("/api/event?source=shop&id=evt_whole"));
    assertThat(event.at("/payload/text").asText()).isEqualTo("{\"a\":1}");
    assertThat(event.at("/payload/base64").binaryValue()).isEqualTo(body);
    assertThat(event.at("/payload/headers/X-A/1").asText()).isEqualTo("c");
    assertThat(event.at("/otherBodies/0/payload/text").isNull()).isTrue();
    assertThat(event.at("/otherBodies/0/payload/base64").asText()).isEqualTo("/w==");
    assertThat(json(get("/api/conflicts?source=shop")).at("/conflicts/0/eventId").asText())
        .isEqualTo("evt_whole");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String form) throws Exception {
    return http.send(
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static URI uri(String path) {
    return URI.create(service.admin() + path);
  }

  private static JsonNode json(HttpResponse<String> response) throws Exception {
    return Json.parse(response.body().getBytes(StandardCharsets.UTF_8));
  }
}
