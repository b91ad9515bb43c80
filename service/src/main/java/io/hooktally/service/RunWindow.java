package io.hooktally.service;

import io.hooktally.reconcile.Window;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Windows as people write them: two instants, or dates in the configured zone. */
public final class RunWindow {
  private static final String SHAPE =
      "an instant such as 2026-11-30T00:00:00Z or a date such as 2026-11-30";

  private RunWindow() {}

  /**
   * The window between two times, {@code to} exclusive.
   *
   * @throws IllegalArgumentException naming the one that cannot be read, and its shape
   */
  public static Window of(@Nullable String from, @Nullable String to, ZoneId zone) {
    Instant begin = time("from", from, zone);
    Instant end = time("to", to, zone);
    if (!begin.isBefore(end)) {
      throw new IllegalArgumentException(
          "from must be before to; to is exclusive: for one day write that day and the next.");
    }
    return new Window(begin, end);
  }

  static Instant time(String name, @Nullable String text, ZoneId zone) {
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException(name + " is missing; write " + SHAPE + ".");
    }
    return instant(text.strip(), zone)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    name + " cannot be read as a time; write " + SHAPE + "."));
  }

  private static Optional<Instant> instant(String text, ZoneId zone) {
    try {
      return Optional.of(
          text.indexOf('T') < 0
              ? LocalDate.parse(text).atStartOfDay(zone).toInstant()
              : OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
