package io.hooktally.service.dispatch;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often and when a failed hand-over is tried again.
 *
 * @param attempts attempts in all before an event is poison; 1 means no retry
 * @param base the longest wait before the second attempt is {@code base * factor}
 * @param factor by which the longest wait grows with every attempt
 * @param max the longest wait of all
 */
public record Retries(int attempts, Duration base, double factor, Duration max) {
  /** Five attempts, from a second on, doubling, two minutes at most. */
  public static final Retries DEFAULT =
      new Retries(5, Duration.ofSeconds(1), 2, Duration.ofMinutes(2));

  /**
   * The wait before attempt {@code n} (2, 3, ...), with full jitter: uniform in [0, min(max, base *
   * factor^(n-1))], so that events that failed together do not come back together.
   */
  Duration before(int n, RandomGenerator random) {
    double grown = (double) base.toMillis() * Math.pow(factor, n - 1.0);
    double longest = Math.min((double) max.toMillis(), grown);
    return Duration.ofMillis((long) (longest * random.nextDouble()));
  }
}
