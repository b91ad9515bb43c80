package io.hooktally.service.demo;

import io.hooktally.service.HooktallyException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** The platform's sender: signs events and delivers them, several at once. */
final class Sender implements AutoCloseable {
  private static final int AT_ONCE = 8;
  private static final MediaType JSON = MediaType.get("application/json");

  private final String endpoint;
  private final byte[] secret;
  private final OkHttpClient http =
      new OkHttpClient.Builder()
          .callTimeout(Duration.ofSeconds(5))
          .retryOnConnectionFailure(false)
          .build();
  private final ExecutorService workers;

  Sender(String endpoint, String secret) {
    this.endpoint = endpoint;
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
    workers =
        Executors.newFixedThreadPool(
            AT_ONCE,
            work -> {
              Thread thread = new Thread(work, "demo-sender");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Delivers all of them and waits for the answers. */
  void deliver(List<PlannedEvent> events) throws InterruptedException {
    List<Future<?>> answers = new ArrayList<>();
    events.forEach(event -> answers.add(workers.submit(() -> deliver(event))));
    for (Future<?> answer : answers) {
      try {
        answer.get();
      } catch (ExecutionException e) {
        throw new HooktallyException("The demo could not deliver: " + e.getCause(), e);
      }
    }
  }

  private void deliver(PlannedEvent event) {
    byte[] body =
        OrderState.NODES
            .objectNode()
            .put("id", "row-" + event.id())
            .put("order_id", event.step().orderId())
            .put("type", event.step().topic())
            .toString()
            .getBytes(StandardCharsets.UTF_8);
    Request request =
        new Request.Builder()
            .url(endpoint)
            .header("X-Revenexx-Event-Id", event.id())
            .header("X-Revenexx-Topic", event.step().topic())
            .header("X-Revenexx-Signature", "v0=" + sign(body))
            .post(RequestBody.create(body, JSON))
            .build();
    try (Response response = http.newCall(request).execute()) {
      if (!response.isSuccessful()) {
        throw new HooktallyException("a delivery was answered " + response.code());
      }
    } catch (IOException e) {
      throw new HooktallyException("a delivery was not answered: " + e.getMessage(), e);
    }
  }

  private String sign(byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  @Override
  public void close() {
    workers.shutdownNow();
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
  }
}
