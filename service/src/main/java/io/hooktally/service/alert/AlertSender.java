package io.hooktally.service.alert;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.lifecycle.Managed;
import io.hooktally.store.Secret;
import io.hooktally.store.alert.Alert;
import io.hooktally.store.alert.Alerts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the alerts of the outbox: each to the log, and to the webhook URL until that has taken it,
 * also after a restart. At least once; the receiver knows one it has by its {@code
 * Idempotency-Key}. Driven by its own thread after {@link #start}, or by hand with {@link
 * #runOnce}.
 */
public final class AlertSender implements Managed {
  private static final Logger LOG = LoggerFactory.getLogger(AlertSender.class);
  private static final MediaType JSON = MediaType.get("application/json");
  private static final Duration CALL = Duration.ofSeconds(15);
  // Longer than one call may take: a sender that dies delays its alerts by so much.
  private static final Duration CLAIM = Duration.ofMinutes(1);
  private static final Duration FIRST_WAIT = Duration.ofSeconds(10);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);
  private static final int DOUBLINGS = 7;
  private static final long POLL_SECONDS = 2;

  private final Alerts alerts;
  private final Secret webhookUrl;
  private final InstantSource clock;
  private final OkHttpClient http =
      new OkHttpClient.Builder()
          .connectTimeout(Duration.ofSeconds(5))
          .readTimeout(CALL)
          .writeTimeout(CALL)
          .callTimeout(CALL)
          .retryOnConnectionFailure(false)
          // Only the place that was configured learns what is wrong.
          .followRedirects(false)
          .build();
  private final ScheduledExecutorService loop =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "alerts");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Over the outbox.
   *
   * @param webhookUrl not configured: alerts go to the log only
   */
  public AlertSender(Alerts alerts, Secret webhookUrl, InstantSource clock) {
    this.alerts = alerts;
    this.webhookUrl = webhookUrl;
    this.clock = clock;
  }

  @Override
  public void start() {
    // runSafely lets nothing through that the future could tell.
    ScheduledFuture<?> unused =
        loop.scheduleWithFixedDelay(this::runSafely, 0, POLL_SECONDS, TimeUnit.SECONDS);
  }

  /** Ends after the call under way; what it could not send is sent after the next start. */
  @Override
  public void stop() throws InterruptedException {
    loop.shutdown();
    if (!loop.awaitTermination(CALL.toSeconds() + 1, TimeUnit.SECONDS)) {
      loop.shutdownNow();
    }
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
  }

  /**
   * Tries every alert that is due once.
   *
   * @return how many arrived
   */
  public int runOnce() {
    int arrived = 0;
    while (true) {
      // One at a time: its claim must outlast its call.
      List<Alert> due = alerts.claim(clock.instant(), CLAIM, 1);
      if (due.isEmpty()) {
        return arrived;
      }
      arrived += send(due.get(0)) ? 1 : 0;
    }
  }

  private boolean send(Alert alert) {
    if (alert.attempts() == 1) {
      LOG.warn("ALERT {}: {}", alert.id(), alert.text());
    }
    try {
      if (webhookUrl.isConfigured()) {
        post(alert);
      }
    } catch (IOException e) {
      Instant next = clock.instant().plus(wait(alert.attempts()));
      alerts.failed(alert.id(), e.getMessage() == null ? "failed" : e.getMessage(), next);
      LOG.warn(
          "alert {} did not arrive (attempt {}: {}), next try at {}",
          alert.id(),
          alert.attempts(),
          e.getMessage(),
          next);
      return false;
    }
    alerts.sent(alert.id());
    return true;
  }

  private void post(Alert alert) throws IOException {
    Request request =
        new Request.Builder()
            .url(webhookUrl.value().strip())
            .header("Idempotency-Key", "hooktally-alert-" + alert.id())
            .post(RequestBody.create(body(alert).toString(), JSON))
            .build();
    try (Response response = http.newCall(request).execute()) {
      if (!response.isSuccessful()) {
        throw new IOException("answered " + response.code());
      }
    } catch (IOException e) {
      // The library's own message may name the host or the URL, which is a credential.
      throw e.getMessage() != null && e.getMessage().startsWith("answered")
          ? e
          : new IOException(e.getClass().getSimpleName());
    }
  }

  private static ObjectNode body(Alert alert) {
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("text", alert.text())
            .put("id", alert.id())
            .put("kind", alert.kind().text())
            .put("source", alert.source())
            .put("entityType", alert.entityType());
    return alert.runId() == null ? body : body.put("run", alert.runId());
  }

  private static Duration wait(int attempts) {
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(DOUBLINGS, attempts - 1));
    return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
  }

  private void runSafely() {
    try {
      runOnce();
    } catch (RuntimeException e) {
      // The database is away, or a bug: the next round tries again.
      LOG.warn("alerts wait: {}", e.toString());
    }
  }
}
