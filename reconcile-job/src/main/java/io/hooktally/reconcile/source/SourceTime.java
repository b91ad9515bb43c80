package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads points in time as sources write them, in full precision: ISO 8601 with {@code T} or a
 * blank, up to nine digits of fraction, and a zone, which may be {@code Z}, {@code UTC}, {@code
 * +01:00}, {@code +0100}, {@code +01} or {@code -00:00}. Years 0001 to 9999.
 */
public final class SourceTime {
  private static final Pattern SHAPE =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)[Tt ](\\d\\d):(\\d\\d):(\\d\\d)(?:[.,](\\d{1,9})0*)?"
              + " ?(?:([Zz]|UTC|GMT)|([+-])(\\d\\d)(?::?(\\d\\d))?)");

  private SourceTime() {}

  /**
   * The point in time.
   *
   * @throws InvalidEventException when the node is none; without the value in its message
   */
  public static Instant parse(JsonNode node) {
    return (node.isTextual() ? read(node.textValue()) : Optional.<Instant>empty())
        .orElseThrow(
            () ->
                new InvalidEventException(
                    "a time was expected, such as 2026-05-11T12:26:37.130Z, and a "
                        + node.getNodeType().name().toLowerCase(java.util.Locale.ROOT)
                        + " of another form came"));
  }

  /** The point in time, or nothing when the text is not one of the forms. */
  public static Optional<Instant> read(String text) {
    if (text.length() < 20 || text.length() > 64) {
      return Optional.empty();
    }
    Matcher m = SHAPE.matcher(text);
    if (!m.matches()) {
      return Optional.empty();
    }
    try {
      int second = number(m.group(6));
      // A leap second has no place on our scale; the second before it is the nearest.
      LocalDateTime local =
          LocalDateTime.of(
              number(m.group(1)),
              number(m.group(2)),
              number(m.group(3)),
              number(m.group(4)),
              number(m.group(5)),
              second == 60 ? 59 : second,
              nanos(m.group(7)));
      return local.getYear() < 1 ? Optional.empty() : Optional.of(local.toInstant(offset(m)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  private static int nanos(@org.jspecify.annotations.Nullable String fraction) {
    return fraction == null ? 0 : number((fraction + "000000000").substring(0, 9));
  }

  private static ZoneOffset offset(Matcher m) {
    if (m.group(8) != null) {
      return ZoneOffset.UTC;
    }
    int sign = "-".equals(m.group(9)) ? -1 : 1;
    int minutes = m.group(11) == null ? 0 : number(m.group(11));
    return ZoneOffset.ofHoursMinutes(sign * number(m.group(10)), sign * minutes);
  }
}
