package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.SourceUnavailableException.Kind;
import io.hooktally.store.InvalidJsonException;
import io.hooktally.store.Json;
import io.hooktally.store.Secret;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;

/** One GET of a source's API, once: its limits, its credentials, and what its answer means. */
final class SourceHttp implements AutoCloseable {
  /** A JSON answer, or a 404 or 410 whose body does not matter. */
  record Answer(int status, @Nullable JsonNode body, Instant sourceNow) {}

  private final SourceConfig config;
  private final ApiConfig api;
  private final InstantSource clock;
  private final OkHttpClient http;
  private volatile Duration skew = Duration.ZERO;

  SourceHttp(SourceConfig config, InstantSource clock) {
    this.config = config;
    this.api = config.api();
    this.clock = clock;
    this.http =
        new OkHttpClient.Builder()
            .callTimeout(limit(api.callTimeout()))
            .connectTimeout(limit(api.connectTimeout()))
            .readTimeout(limit(api.callTimeout()))
            .writeTimeout(limit(api.callTimeout()))
            // Credentials stay with the host they are for.
            .followRedirects(false)
            .followSslRedirects(false)
            .connectionPool(new ConnectionPool(8, 1, TimeUnit.MINUTES))
            .build();
  }

  // Zero would mean no limit at all.
  private static Duration limit(Duration duration) {
    return duration.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : duration;
  }

  /** The source's clock: ours, corrected by the Date of its last answer. */
  Instant now() {
    return clock.instant().plus(skew);
  }

  Answer get(HttpUrl url, Meter meter) {
    Request request = request(url);
    meter.request();
    try (Response response = http.newCall(request).execute()) {
      Instant sourceNow = sourceNow(response);
      check(response, sourceNow);
      return response.code() == 200
          ? new Answer(200, json(response, meter), sourceNow)
          : new Answer(response.code(), null, sourceNow);
    } catch (InterruptedIOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw unavailable(Kind.INTERRUPTED, "the request was interrupted", 0, null, e);
      }
      throw unavailable(Kind.TIMEOUT, "no whole answer within " + api.callTimeout(), 0, null, e);
    } catch (IOException e) {
      String what = "no whole answer (" + e.getClass().getSimpleName() + ")";
      throw unavailable(Kind.UNREACHABLE, what + "; is " + key("url") + " right?", 0, null, e);
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

  private Instant sourceNow(Response response) {
    Instant ours = clock.instant();
    String date = response.header("Date");
    Instant theirs = date == null ? ours : HttpDates.parse(date).orElse(ours);
    skew = Duration.between(ours, theirs);
    return theirs;
  }

  private void check(Response response, Instant sourceNow) {
    int status = response.code();
    Duration wait = RetryAfter.parse(response.header("Retry-After"), sourceNow).orElse(null);
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
      throw new SourceRefusedException(
          at() + what + " to " + response.request().url().encodedPath(), status);
    }
  }

  private JsonNode json(Response response, Meter meter) throws IOException {
    ResponseBody body = response.body();
    String type = String.valueOf(response.header("Content-Type")).toLowerCase(Locale.ROOT);
    if (!type.matches("application/([a-z0-9.!#$&^_-]+\\+)?json\\s*(;.*)?")) {
      throw refused("JSON was expected, and another content type came");
    }
    int most = Math.toIntExact(api.maxResponse().bytes());
    byte[] bytes = body.byteStream().readNBytes(most + 1);
    meter.bytes(bytes.length);
    if (bytes.length > most) {
      throw refused("an answer above " + key("maxResponse") + " (" + api.maxResponse() + ")");
    }
    try {
      return Json.parse(bytes);
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
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
  }
}
