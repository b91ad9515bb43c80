package io.hooktally.service.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.hooktally.store.Json;
import io.hooktally.store.Secret;
import io.hooktally.store.alert.AlertKind;
import io.hooktally.store.alert.Alerts;
import io.hooktally.store.testing.TestDatabase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Alerts are delivered or retried. */
class AlertSenderIT {
  @RegisterExtension final TestDatabase database = new TestDatabase();

  private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private volatile int answer = 200;
  private Instant now = Instant.parse("2026-12-01T00:00:00Z");
  private HttpServer receiver;
  private Alerts alerts;

  @BeforeEach
  void start() throws Exception {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    receiver.start();
    alerts = new Alerts(database.get().jdbi());
  }

  @AfterEach
  void stop() {
    receiver.stop(0);
  }

  @Test
  void postsAnAlertOnceWithItsText() throws Exception {
    alert("7 orders differ");

    assertThat(sender(url()).runOnce()).isEqualTo(1);
    assertThat(sender(url()).runOnce()).isZero();

    assertThat(bodies).hasSize(1);
    assertThat(Json.parse(bodies.get(0).getBytes(StandardCharsets.UTF_8)).path("text").asText())
        .isEqualTo("7 orders differ");
    assertThat(alerts.pending()).isZero();
  }

  @Test
  void triesAgainWithTheSameKeyUntilItArrivesAlsoAfterARestart() throws Exception {
    alert("a run failed");
    answer = 500;
    assertThat(sender(url()).runOnce()).isZero();
    assertThat(sender(url()).runOnce()).as("not due yet").isZero();
    assertThat(bodies).hasSize(1);

    now = now.plus(Duration.ofSeconds(10));
    assertThat(sender(url()).runOnce()).isZero();
    answer = 204;
    now = now.plus(Duration.ofMinutes(1));
    assertThat(sender(url()).runOnce()).isEqualTo(1);

    assertThat(keys).hasSize(3);
    assertThat(keys.stream().distinct()).hasSize(1);
    assertThat(alerts.pending()).isZero();
  }

  @Test
  void keepsAnAlertWhileNobodyListens() throws Exception {
    alert("a run failed");
    String gone = url();
    receiver.stop(0);

    assertThat(sender(gone).runOnce()).isZero();

    assertThat(alerts.pending()).isEqualTo(1);
    assertThat(error()).doesNotContain("127.0.0.1").doesNotContain("/hook");
  }

  @Test
  void withoutAUrlTheLogIsTheDelivery() {
    alert("a run failed");

    assertThat(sender("").runOnce()).isEqualTo(1);
    assertThat(alerts.pending()).isZero();
  }

  private void alert(String text) {
    database
        .get()
        .jdbi()
        .useTransaction(
            handle -> alerts.add(handle, AlertKind.DISAGREEMENTS, "shop", "order", null, text));
  }

  private AlertSender sender(String url) {
    return new AlertSender(alerts, Secret.of(url), () -> now);
  }

  private String url() {
    return "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook/token";
  }

  private String error() {
    return database
        .get()
        .jdbi()
        .withHandle(
            handle -> handle.createQuery("select last_error from alert").mapTo(String.class).one());
  }
}
