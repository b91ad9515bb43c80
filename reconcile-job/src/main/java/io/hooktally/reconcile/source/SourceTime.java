package io.hooktally.reconcile.source;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads points in time as sources write them: ISO 8601 with {@code T} or a blank, a fraction of any
 * length, and a zone, which may be {@code Z}, {@code UTC}, {@code +01:00}, {@code +0100}, {@code
 * +01} or {@code -00:00}. Precision is kept up to nanoseconds, further digits are cut off. Years
 * 0001 to 9999.
 */
public final class SourceTime {
  private static final int LONGEST = 64;
  private static final int TO_SECONDS = 19;
  private static final int NO_OFFSET = Integer.MAX_VALUE;

  private SourceTime() {}

  /** The point in time, or nothing when the text is not one of the ISO forms. */
  public static Optional<Instant> read(String text) {
    return Optional.ofNullable(iso(text));
  }

  // Read once for every row of a list, hence by hand.
  private static @Nullable Instant iso(String text) {
    int length = text.length();
    if (length <= TO_SECONDS || length > LONGEST || !isShaped(text)) {
      return null;
    }
    int hour = two(text, 11);
    int minute = two(text, 14);
    int second = two(text, 17);
    int year = two(text, 0) * 100 + two(text, 2);
    if (hour > 23 || minute > 59 || second > 60 || year < 1) {
      return null;
    }
    int at = TO_SECONDS;
    long nanos = 0;
    if (text.charAt(at) == '.' || text.charAt(at) == ',') {
      int start = ++at;
      for (long unit = 100_000_000; at < length && isDigit(text, at); unit /= 10) {
        nanos += unit * (text.charAt(at++) - '0');
      }
      if (at == start) {
        return null;
      }
    }
    int offset = offset(text, at < length && text.charAt(at) == ' ' ? at + 1 : at);
    if (offset == NO_OFFSET) {
      return null;
    }
    try {
      long day = LocalDate.of(year, two(text, 5), two(text, 8)).toEpochDay();
      // A leap second has no place on our scale; the second before it is the nearest.
      int inDay = hour * 3600 + minute * 60 + Math.min(second, 59);
      return Instant.ofEpochSecond(day * 86_400 + inDay - offset, nanos);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static boolean isShaped(String text) {
    for (int i = 0; i < TO_SECONDS; i++) {
      char c = text.charAt(i);
      boolean fits =
          switch (i) {
            case 4, 7 -> c == '-';
            case 10 -> c == 'T' || c == 't' || c == ' ';
            case 13, 16 -> c == ':';
            default -> c >= '0' && c <= '9';
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  // Seconds east of Greenwich; what follows the offset is not allowed.
  private static int offset(String text, int at) {
    int left = text.length() - at;
    if (left == 1) {
      return text.charAt(at) == 'Z' || text.charAt(at) == 'z' ? 0 : NO_OFFSET;
    }
    if (left == 3 && (text.startsWith("UTC", at) || text.startsWith("GMT", at))) {
      return 0;
    }
    boolean colon = left == 6 && text.charAt(at + 3) == ':';
    char sign = left < 3 ? ' ' : text.charAt(at);
    if (!(left == 3 || left == 5 || colon) || (sign != '+' && sign != '-')) {
      return NO_OFFSET;
    }
    int last = text.length() - 2;
    if (!areDigits(text, at + 1) || !areDigits(text, last)) {
      return NO_OFFSET;
    }
    int hours = two(text, at + 1);
    int minutes = left == 3 ? 0 : two(text, last);
    if (minutes > 59 || hours * 60 + minutes > 18 * 60) {
      return NO_OFFSET;
    }
    int seconds = hours * 3600 + minutes * 60;
    return sign == '-' ? -seconds : seconds;
  }

  private static int two(String text, int at) {
    return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
  }

  private static boolean areDigits(String text, int at) {
    return isDigit(text, at) && isDigit(text, at + 1);
  }

  private static boolean isDigit(String text, int at) {
    return text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }
}
