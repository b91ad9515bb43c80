package io.hooktally.reconcile.source;

import io.hooktally.reconcile.source.SourceUnavailableException.Kind;
import io.hooktally.store.InvalidJsonException;
import io.hooktally.store.Secret;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import okhttp3.Dns;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * One GET of a source's API, once: its turn, its credentials, and what its answer means. Nothing
 * but GETs is ever sent, so whatever repeats a request changes nothing at the source.
 */
final class SourceHttp implements AutoCloseable {
  /** A JSON answer, or a 404 or 410 whose body does not matter. */
  record Answer<T>(int status, @Nullable T body, Instant sourceNow) {}

  private static final Pattern JSON =
      Pattern.compile(
          "application/([a-z0-9.!#$&^_-]+\\+)?json\\s*(;.*)?", Pattern.CASE_INSENSITIVE);

  private final SourceConfig config;
  private final ApiConfig api;
  private final InstantSource clock;
  private final HttpCalls calls;
  private final SourceBudget budget;
  private final Circuit circuit;
  private volatile Duration skew = Duration.ZERO;

  SourceHttp(SourceConfig config, InstantSource clock, LongSupplier nanos, Dns dns) {
    this.config = config;
    this.api = config.api();
    this.clock = clock;
    this.calls = new HttpCalls(api, dns);
    this.budget = new SourceBudget(config.name(), api, nanos);
    this.circuit = new Circuit(config.name(), api, nanos);
  }

  /** The source's clock: ours, corrected by the Date of its last answer. */
  Instant now() {
    return clock.instant().plus(skew);
  }

  int waiting() {
    return budget.waiting();
  }

  /**
   * Waits for its turn, and asks once.
   *
   * @param reading of the JSON of a 200; what it throws as invalid is the source's fault
   */
  <T> Answer<T> get(HttpUrl url, Asker asker, Function<byte[], T> reading) {
    Request request = request(url);
    try {
      Optional<Duration> held = budget.enter(asker);
      if (held.isPresent()) {
        String what = "it wants to be left alone for now";
        throw unavailable(Kind.THROTTLED, what, 0, held.get(), null);
      }
      HttpCalls.Answer answer;
      try {
        answer = ask(request, asker.meter());
      } finally {
        budget.leave();
      }
      Instant sourceNow = sourceNow(answer.headers());
      return answer.status() == 200
          ? new Answer<>(200, json(answer, asker.meter(), reading), sourceNow)
          : new Answer<>(answer.status(), null, sourceNow);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(Kind.INTERRUPTED, "the request was interrupted", 0, null, e);
    }
  }

  private HttpCalls.Answer ask(Request request, Meter meter) throws InterruptedException {
    if (!circuit.lets()) {
      String what = "it has been away for a while, and is left alone before it is tried again";
      throw unavailable(Kind.OPEN_CIRCUIT, what, 0, null, null);
    }
    try {
      meter.request();
      HttpCalls.Answer answer = send(request);
      Instant sourceNow = sourceNow(answer.headers());
      RateLimits.usedUp(answer.headers(), sourceNow).ifPresent(budget::usedUp);
      check(answer, request.url(), sourceNow);
      circuit.answered();
      budget.answered();
      return answer;
    } catch (SourceUnavailableException e) {
      hear(e);
      throw e;
    } catch (SourceRefusedException e) {
      circuit.answered();
      throw e;
    } catch (InterruptedException | RuntimeException e) {
      circuit.unused();
      throw e;
    }
  }

  private void hear(SourceUnavailableException e) {
    switch (e.kind()) {
      case UNREACHABLE, TIMEOUT, SERVER_ERROR -> circuit.away(e);
      case DENIED, THROTTLED -> circuit.answered();
      case OPEN_CIRCUIT, NOT_CONFIGURED, INTERRUPTED -> circuit.unused();
    }
    if (e.kind() == Kind.THROTTLED || e.retryAfter().isPresent()) {
      budget.hold(e.retryAfter().orElse(null));
    }
  }

  private Request request(HttpUrl url) {
    Request.Builder request = new Request.Builder().url(url).header("Accept", "application/json");
    api.headers().forEach((name, value) -> put(request, "headers", name, value));
    for (Map.Entry<String, Secret> header : api.secretHeaders().entrySet()) {
      put(request, "secretHeaders", header.getKey(), header.getValue().value());
    }
    return request.build();
  }

  private void put(Request.Builder request, String section, String name, String value) {
    if (value.isBlank()) {
      String key = key(section) + "." + name;
      throw unavailable(Kind.NOT_CONFIGURED, "no credentials: set " + key, 0, null, null);
    }
    try {
      request.header(name, value.strip());
    } catch (IllegalArgumentException e) {
      // OkHttp's own message quotes the value.
      String key = key(section) + "." + name;
      throw unavailable(
          Kind.NOT_CONFIGURED, key + " has characters no header may have", 0, null, null);
    }
  }

  private HttpCalls.Answer send(Request request) throws InterruptedException {
    try {
      return calls.send(request);
    } catch (InterruptedIOException e) {
      throw unavailable(Kind.TIMEOUT, "no whole answer within " + api.callTimeout(), 0, null, e);
    } catch (IOException e) {
      String what = "no whole answer (" + e.getClass().getSimpleName() + ")";
      throw unavailable(Kind.UNREACHABLE, what + "; is " + key("url") + " right?", 0, null, e);
    }
  }

  private Instant sourceNow(Headers headers) {
    Instant ours = clock.instant();
    String date = headers.get("Date");
    Instant theirs = date == null ? ours : HttpDates.parse(date).orElse(ours);
    skew = Duration.between(ours, theirs);
    return theirs;
  }

  private void check(HttpCalls.Answer answer, HttpUrl url, Instant sourceNow) {
    int status = answer.status();
    Duration wait = RetryAfter.parse(answer.headers().get("Retry-After"), sourceNow).orElse(null);
    String what = "status " + status;
    if (status == 401 || status == 403) {
      String where = "; check " + key("headers") + " and " + key("secretHeaders");
      throw unavailable(Kind.DENIED, what + where, status, wait, null);
    } else if (status == 408) {
      throw unavailable(Kind.TIMEOUT, what, status, wait, null);
    } else if (status == 429) {
      throw unavailable(Kind.THROTTLED, what, status, wait, null);
    } else if (status >= 500) {
      throw unavailable(Kind.SERVER_ERROR, what, status, wait, null);
    } else if (status >= 300 && status < 400) {
      String set = "status " + status + " leads elsewhere, and redirects are not followed; set ";
      throw new SourceRefusedException(at() + set + key("url"), status);
    } else if (status != 200 && status != 404 && status != 410) {
      throw new SourceRefusedException(at() + what + " to " + url.encodedPath(), status);
    }
  }

  private <T> T json(HttpCalls.Answer answer, Meter meter, Function<byte[], T> reading) {
    String type = answer.headers().get("Content-Type");
    if (type == null || !JSON.matcher(type).matches()) {
      throw refused("JSON was expected, and another content type came");
    }
    byte[] bytes = answer.body();
    if (bytes == null) {
      throw refused("an answer above " + key("maxResponse") + " (" + api.maxResponse() + ")");
    }
    meter.bytes(bytes.length);
    try {
      return reading.apply(bytes);
    } catch (InvalidJsonException e) {
      throw new SourceRefusedException(at() + e.getMessage(), 200, e);
    }
  }

  SourceRefusedException refused(String what) {
    return new SourceRefusedException(at() + what, 200);
  }

  private SourceUnavailableException unavailable(
      Kind kind, String what, int status, @Nullable Duration wait, @Nullable Throwable cause) {
    return new SourceUnavailableException(kind, at() + what, status, wait, cause);
  }

  private String at() {
    return "source " + config.name() + ": ";
  }

  private String key(String key) {
    return "sources." + config.name() + ".api." + key;
  }

  @Override
  public void close() {
    calls.close();
  }
}
