package io.hooktally.reconcile.source;

import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.hooktally.reconcile.source.SourceUnavailableException.Kind;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Asks again after what may pass: 408, 429, 5xx, no answer. Waits on the caller's thread; after a
 * 429 not here, but with all others for whom the source's budget is held.
 */
final class Retrying {
  private static final Set<Kind> MAY_PASS =
      EnumSet.of(
          Kind.UNREACHABLE, Kind.TIMEOUT, Kind.THROTTLED, Kind.SERVER_ERROR, Kind.OPEN_CIRCUIT);

  private final Retry retry;

  Retrying(String name, ApiConfig api) {
    RetryConfig config =
        RetryConfig.<Object>custom()
            .maxAttempts(Math.max(1, api.attempts()))
            .retryOnException(Retrying::mayPass)
            .intervalBiFunction((attempt, outcome) -> millis(api, attempt, outcome))
            .build();
    this.retry = Retry.of(name, config);
  }

  /** The answer; the last failure where none came; {@link Kind#INTERRUPTED} once interrupted. */
  <T> T call(Supplier<T> request) {
    try {
      return retry.executeSupplier(request);
    } catch (SourceUnavailableException e) {
      if (Thread.currentThread().isInterrupted() && e.kind() != Kind.INTERRUPTED) {
        throw new SourceUnavailableException(
            Kind.INTERRUPTED, "interrupted while waiting after: " + e.getMessage(), 0, null, e);
      }
      throw e;
    }
  }

  private static boolean mayPass(Throwable failure) {
    return failure instanceof SourceUnavailableException unavailable
        && MAY_PASS.contains(unavailable.kind())
        && !Thread.currentThread().isInterrupted();
  }

  private static long millis(ApiConfig api, int attempt, Either<Throwable, Object> outcome) {
    if (outcome.isLeft()
        && outcome.getLeft() instanceof SourceUnavailableException unavailable
        && unavailable.kind() == Kind.THROTTLED) {
      return 1;
    }
    Backoff backoff = new Backoff(api.backoff(), api.maxBackoff(), ThreadLocalRandom.current());
    return backoff
        .before(
            attempt,
            outcome.isLeft() && outcome.getLeft() instanceof SourceUnavailableException unavailable
                ? unavailable.retryAfter().orElse(null)
                : null)
        .toMillis();
  }
}
