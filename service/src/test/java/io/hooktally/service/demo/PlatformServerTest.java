package io.hooktally.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The simulated platform speaks as the real one does. */
class PlatformServerTest {
  private static final int ORDERS = 250;

  private final SimulatedPlatform platform = new SimulatedPlatform();
  private final PlatformServer server = new PlatformServer(platform, "key");
  private String anId = "";

  @BeforeEach
  void start() throws Exception {
    LifeCycle lives = new LifeCycle(Instant.parse("2026-11-30T00:00:00Z"), new Random(1));
    for (int number = 1; number <= ORDERS; number++) {
      OrderState order = lives.live(number).get(0).after();
      platform.change(order);
      anId = order.id();
    }
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void clampsTheLimitAndSaysSo() throws Exception {
    JsonNode page = json(get("/v1/orders?limit=1000&offset=0&order=updated_at.desc", "key"));

    assertThat(page.path("items")).hasSize(200);
    assertThat(page.path("total").asInt()).isEqualTo(ORDERS);
    assertThat(page.path("page").path("limit").asInt()).isEqualTo(200);
    assertThat(page.path("page").path("hasMore").asBoolean()).isTrue();
    assertThat(page.path("items").findValuesAsText("updated_at"))
        .isSortedAccordingTo(java.util.Comparator.reverseOrder());
  }

  @Test
  void ignoresKeysItDoesNotKnow() throws Exception {
    JsonNode page = json(get("/v1/orders?updated_at_gte=2026-12-01&limit=50&offset=200", "key"));

    assertThat(page.path("items")).hasSize(50);
    assertThat(page.path("page").path("hasMore").asBoolean()).isFalse();
  }

  @Test
  void aRowOfTheListLacksWhatTheSingleReadHas() throws Exception {
    JsonNode row = json(get("/v1/orders", "key")).path("items").path(0);
    HttpResponse<String> single = get("/v1/orders/" + row.path("id").asText(), "key");

    assertThat(row.has("positions")).isFalse();
    assertThat(json(single).path("positions")).isNotEmpty();
    assertThat(single.body()).containsPattern("\"grand_total\":\\d+\\.\\d{4}[,}]");
    assertThat(single.headers().firstValue("Date")).isPresent();
  }

  @Test
  void refusesWhoHasNoKeyAndWhatIsNotThere() throws Exception {
    assertThat(get("/v1/orders", "other").statusCode()).isEqualTo(401);
    assertThat(get("/v1/orders/" + anId, "key").statusCode()).isEqualTo(200);
    assertThat(get("/v1/orders/none", "key").statusCode()).isEqualTo(404);
    assertThat(get("/v1/other", "key").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> get(String path, String key) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("X-Revenexx-Api-Key", key)
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws Exception {
    return Json.parse(response.body().getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}
