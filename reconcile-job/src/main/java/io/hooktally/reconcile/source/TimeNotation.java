package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A configured way to write a point in time: {@code iso}, {@code epoch_seconds}, {@code
 * epoch_millis}, {@code epoch_micros}, or a pattern of {@link DateTimeFormatter} with English
 * names; a pattern without a zone is in UTC. Whatever is configured, ISO is understood too.
 * Immutable.
 */
public final class TimeNotation {
  // Seconds of the years 0001 to 9999.
  private static final BigDecimal EARLIEST = BigDecimal.valueOf(-62_135_596_800L);
  private static final BigDecimal LATEST = BigDecimal.valueOf(253_402_300_799L);

  private final int digits;
  private final @Nullable DateTimeFormatter pattern;

  private TimeNotation(int digits, @Nullable DateTimeFormatter pattern) {
    this.digits = digits;
    this.pattern = pattern;
  }

  /**
   * As configured.
   *
   * @throws IllegalArgumentException when it is no such way
   */
  public static TimeNotation of(String notation) {
    return switch (notation) {
      case "iso" -> new TimeNotation(-1, null);
      case "epoch_seconds" -> new TimeNotation(0, null);
      case "epoch_millis" -> new TimeNotation(3, null);
      case "epoch_micros" -> new TimeNotation(6, null);
      default -> new TimeNotation(-1, DateTimeFormatter.ofPattern(notation, Locale.ENGLISH));
    };
  }

  static boolean isKnown(String notation) {
    try {
      of(notation);
      return notation.equals("iso")
          || notation.startsWith("epoch_")
          || notation.contains("y")
          || notation.contains("u");
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The point in time, or nothing when the value is written another way. */
  public Optional<Instant> read(JsonNode value) {
    if (value.isTextual()) {
      String text = value.textValue();
      Optional<Instant> iso = SourceTime.read(text);
      if (iso.isPresent()) {
        return iso;
      }
      if (pattern != null) {
        return byPattern(text, pattern);
      }
      return digits >= 0 && text.matches("-?\\d{1,18}(\\.\\d{1,9})?")
          ? epoch(new BigDecimal(text))
          : Optional.empty();
    }
    return digits >= 0 && value.isNumber() ? epoch(value.decimalValue()) : Optional.empty();
  }

  private static Optional<Instant> byPattern(String text, DateTimeFormatter pattern) {
    try {
      TemporalAccessor parsed = pattern.parse(text);
      return Optional.of(
          parsed.isSupported(ChronoField.INSTANT_SECONDS)
              ? Instant.from(parsed)
              : LocalDateTime.from(parsed).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private Optional<Instant> epoch(BigDecimal value) {
    // Looked at before any arithmetic: an exponent of a few bytes stands for a number of gigabytes.
    if (Math.abs((long) value.scale()) > 40 || value.precision() > 60) {
      return Optional.empty();
    }
    BigDecimal seconds = value.movePointLeft(digits);
    if (seconds.compareTo(EARLIEST) < 0 || seconds.compareTo(LATEST) > 0) {
      return Optional.empty();
    }
    BigDecimal whole = seconds.setScale(0, RoundingMode.FLOOR);
    long nanos = seconds.subtract(whole).movePointRight(9).longValue();
    return Optional.of(Instant.ofEpochSecond(whole.longValue(), nanos));
  }
}
