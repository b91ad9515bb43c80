package io.hooktally.reconcile.source;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before asking again: doubling from {@code step}, with jitter upwards; what the
 * source asks for, where that is longer; never less than a step, never more than {@code most}.
 */
record Backoff(Duration step, Duration most, RandomGenerator random) {
  Duration before(int attempt, @Nullable Duration retryAfter) {
    long doubled = step.toMillis() << Math.min(attempt - 1, 20);
    long jittered = doubled + random.nextLong(doubled / 2 + 1);
    long wanted = retryAfter == null ? jittered : Math.max(jittered, retryAfter.toMillis());
    return Duration.ofMillis(Math.max(1, Math.min(wanted, most.toMillis())));
  }
}
