package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.hooktally.store.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the source's API is reached.
 *
 * @param url the base, without a path's end
 * @param headers sent with every request
 * @param secretHeaders sent with every request; the values are secrets
 * @param callTimeout limit of one request, from connecting to the last byte of the answer
 * @param connectTimeout limit of connecting
 * @param attempts of one request, the first included
 * @param backoff wait before the second attempt; doubles, with jitter
 * @param maxBackoff longest wait between two attempts, whatever {@code Retry-After} says
 * @param requestsPerSecond most requests in a second, evenly spread; 0: as fast as it answers
 * @param concurrency most requests at once
 * @param maxResponse largest answer read
 */
public record ApiConfig(
    String url,
    Map<String, String> headers,
    Map<String, Secret> secretHeaders,
    @JsonDeserialize(using = DurationReader.class) Duration callTimeout,
    @JsonDeserialize(using = DurationReader.class) Duration connectTimeout,
    Integer attempts,
    @JsonDeserialize(using = DurationReader.class) Duration backoff,
    @JsonDeserialize(using = DurationReader.class) Duration maxBackoff,
    Double requestsPerSecond,
    Integer concurrency,
    ByteSize maxResponse) {
  /** Fills in defaults. */
  public ApiConfig(
      @Nullable String url,
      @Nullable Map<String, String> headers,
      @Nullable Map<String, Secret> secretHeaders,
      @Nullable Duration callTimeout,
      @Nullable Duration connectTimeout,
      @Nullable Integer attempts,
      @Nullable Duration backoff,
      @Nullable Duration maxBackoff,
      @Nullable Double requestsPerSecond,
      @Nullable Integer concurrency,
      @Nullable ByteSize maxResponse) {
    this.url = Defaults.text(url, "");
    this.headers = Defaults.map(headers);
    this.secretHeaders = Defaults.map(secretHeaders);
    this.callTimeout = Objects.requireNonNullElse(callTimeout, Duration.ofSeconds(30));
    this.connectTimeout = Objects.requireNonNullElse(connectTimeout, Duration.ofSeconds(5));
    this.attempts = Objects.requireNonNullElse(attempts, 5);
    this.backoff = Objects.requireNonNullElse(backoff, Duration.ofSeconds(1));
    this.maxBackoff = Objects.requireNonNullElse(maxBackoff, Duration.ofMinutes(2));
    this.requestsPerSecond = Objects.requireNonNullElse(requestsPerSecond, 0.0);
    this.concurrency = Objects.requireNonNullElse(concurrency, 4);
    this.maxResponse = Objects.requireNonNullElse(maxResponse, new ByteSize(16L << 20));
  }

  ApiConfig withoutRetries() {
    return new ApiConfig(
        url,
        headers,
        secretHeaders,
        callTimeout,
        connectTimeout,
        1,
        backoff,
        maxBackoff,
        requestsPerSecond,
        concurrency,
        maxResponse);
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    problems.url("url", url);
    headers.keySet().forEach(name -> problems.header("headers", name, true));
    secretHeaders.keySet().forEach(name -> problems.header("secretHeaders", name, true));
    Duration most = Duration.ofHours(1);
    problems.positive("callTimeout", callTimeout, most);
    problems.positive("connectTimeout", connectTimeout, most);
    problems.between("attempts", attempts, 1, 20);
    problems.positive("backoff", backoff, most);
    problems.positive("maxBackoff", maxBackoff, most);
    if (maxBackoff.compareTo(backoff) < 0) {
      problems.add(
          "maxBackoff", maxBackoff.toString(), "at least backoff (" + backoff + ")", "Raise it.");
    }
    problems.between("requestsPerSecond", requestsPerSecond, 0, 10_000);
    problems.between("concurrency", concurrency, 1, 64);
    problems.between("maxResponse", (double) maxResponse.bytes(), 1 << 10, 1 << 30);
    return problems.found();
  }
}
