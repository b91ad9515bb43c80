package io.hooktally.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import io.hooktally.store.Lease;
import io.hooktally.store.Leases;
import io.hooktally.store.inbox.Delivery;
import io.hooktally.store.inbox.Inbox;
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
