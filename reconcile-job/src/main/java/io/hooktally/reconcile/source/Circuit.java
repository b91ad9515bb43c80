package io.hooktally.reconcile.source;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Stops asking a source that is away: after {@value #OUTAGES} outages in a row it opens, and one
 * request at a time tries whether the source is back, after waits that double up to the longest
 * backoff. An answer that only refuses what was asked for is no outage. Thread-safe.
 */
final class Circuit {
  static final int OUTAGES = 20;
  private static final int STEPS = 10;

  private final CircuitBreaker breaker;

  Circuit(String source, ApiConfig api, LongSupplier nanos) {
    Duration most = api.maxBackoff();
    Duration first = api.backoff().multipliedBy(STEPS);
    CircuitBreakerConfig config =
        CircuitBreakerConfig.custom()
            .slidingWindow(OUTAGES, OUTAGES, CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
            .failureRateThreshold(100)
            .waitIntervalFunctionInOpenState(
                IntervalFunction.ofExponentialBackoff(
                    first.compareTo(most) > 0 ? most : first, 2, most))
            .permittedNumberOfCallsInHalfOpenState(1)
            .clock(new Ticking(nanos))
            .build();
    this.breaker = CircuitBreaker.of(source, config);
  }

  /**
   * Whether a request may be sent. If so, exactly one of {@link #answered}, {@link #away} and
   * {@link #unused} must follow.
   */
  boolean lets() {
    return breaker.tryAcquirePermission();
  }

  void answered() {
    breaker.onSuccess(0, TimeUnit.NANOSECONDS);
  }

  void away(SourceUnavailableException outage) {
    breaker.onError(0, TimeUnit.NANOSECONDS, outage);
  }

  /** The request says nothing of the source: it was not sent, or given up by us. */
  void unused() {
    breaker.releasePermission();
  }

  /** A clock that only runs forward. */
  private static final class Ticking extends Clock {
    private final LongSupplier nanos;
    private final long start;

    Ticking(LongSupplier nanos) {
      this.nanos = nanos;
      this.start = nanos.getAsLong();
    }

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(nanos.getAsLong() - start);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
