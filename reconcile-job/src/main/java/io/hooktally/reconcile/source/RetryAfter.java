package io.hooktally.reconcile.source;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code Retry-After}: seconds, with a fraction or without, or a date by the source's clock.
 */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("\\d{1,18}(\\.\\d{1,9})?\\d*");
  private static final Duration LONGEST = Duration.ofDays(365);

  private RetryAfter() {}

  /** Nothing when absent or unreadable; zero when it lies in the past; never negative. */
  static Optional<Duration> parse(@Nullable String header, Instant sourceNow) {
    if (header == null) {
      return Optional.empty();
    }
    String text = header.strip();
    if (SECONDS.matcher(text).matches()) {
      double seconds = Math.min(Double.parseDouble(text), (double) LONGEST.toSeconds());
      return Optional.of(Duration.ofMillis((long) Math.ceil(seconds * 1000)));
    }
    return HttpDates.parse(text)
        .map(date -> Duration.between(sourceNow, date))
        .map(wait -> wait.isNegative() ? Duration.ZERO : wait)
        .map(wait -> wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
  }
}
