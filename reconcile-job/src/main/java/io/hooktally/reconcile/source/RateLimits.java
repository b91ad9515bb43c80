package io.hooktally.reconcile.source;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads how much of its limit a source says is left, in the notations that are about: {@code
 * RateLimit} as {@code limit=100, remaining=0, reset=30} or as {@code "default";r=0;t=30}, and
 * {@code RateLimit-Remaining} and {@code -Reset}, with {@code X-} in front or without. A reset is
 * in seconds, or a point in time: seconds or milliseconds since 1970, or a date.
 */
final class RateLimits {
  private static final Pattern REMAINING =
      Pattern.compile("(?:^|[\\s;,])(?:r|remaining)=(\\d{1,18})");
  private static final Pattern RESET = Pattern.compile("(?:^|[\\s;,])(?:t|reset)=(\\d{1,18})");
  // A limit that starts anew later than this is no number of seconds but a point in time.
  private static final long MOST_SECONDS = 1_000_000_000;
  private static final long MOST_EPOCH_SECONDS = 100_000_000_000L;

  private RateLimits() {}

  /** How long until requests are allowed again; nothing where some are left, or it does not say. */
  static Optional<Duration> usedUp(Headers headers, Instant sourceNow) {
    Duration longest = null;
    String combined = headers.get("RateLimit");
    if (combined != null) {
      // Several limits may stand side by side, and any one of them may be used up.
      for (String limit : combined.contains("=") ? split(combined) : new String[0]) {
        longest = longer(longest, number(REMAINING, limit), number(RESET, limit), sourceNow);
      }
    }
    for (String prefix : new String[] {"RateLimit-", "X-RateLimit-", "X-Rate-Limit-"}) {
      String remaining = headers.get(prefix + "Remaining");
      if (remaining != null) {
        longest = longer(longest, remaining, headers.get(prefix + "Reset"), sourceNow);
      }
    }
    return Optional.ofNullable(longest);
  }

  // In the older notation commas stand between the parts of one limit.
  private static String[] split(String header) {
    return header.contains(";") ? header.split(",", -1) : new String[] {header};
  }

  private static @Nullable String number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : null;
  }

  private static @Nullable Duration longer(
      @Nullable Duration before,
      @Nullable String remaining,
      @Nullable String reset,
      Instant sourceNow) {
    if (remaining == null || reset == null || !remaining.strip().matches("-\\d+|0+(\\.0*)?")) {
      return before;
    }
    Duration wait = wait(reset.strip(), sourceNow);
    return before == null || (wait != null && wait.compareTo(before) > 0) ? wait : before;
  }

  private static @Nullable Duration wait(String reset, Instant sourceNow) {
    if (!reset.matches("\\d{1,18}(\\.\\d*)?")) {
      return SourceTime.read(reset)
          .or(() -> HttpDates.parse(reset))
          .map(until -> atLeastZero(Duration.between(sourceNow, until)))
          .orElse(null);
    }
    long number = Long.parseLong(reset.replaceFirst("\\..*", ""));
    if (number < MOST_SECONDS) {
      return Duration.ofSeconds(number);
    }
    Instant until =
        number < MOST_EPOCH_SECONDS ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number);
    return atLeastZero(Duration.between(sourceNow, until));
  }

  private static Duration atLeastZero(Duration wait) {
    return wait.isNegative() ? Duration.ZERO : wait;
  }
}
