package io.hooktally.reconcile;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A span of modified times, in the source's time and in whole microseconds.
 *
 * @param from the first instant in it
 * @param to the first instant behind it
 */
public record Window(Instant from, Instant to) {
  /** Before everything: where a window over all that the source has begins. */
  public static final Instant BEGINNING = Instant.parse("0001-01-01T00:00:00Z");

  /** Cuts off what the database could not keep. */
  public Window {
    from = from.truncatedTo(ChronoUnit.MICROS);
    to = to.truncatedTo(ChronoUnit.MICROS);
    if (from.isAfter(to)) {
      throw new IllegalArgumentException(
          "a window from " + from + " to " + to + " ends before it begins");
    }
  }
}
