package io.hooktally.reconcile.source;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The three forms of dates in HTTP headers; the weekday is not looked at. */
final class HttpDates {
  private static final List<DateTimeFormatter> FORMS =
      List.of(
          DateTimeFormatter.ofPattern("d MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH),
          new DateTimeFormatterBuilder()
              .appendPattern("d-MMM-")
              .appendValueReduced(ChronoField.YEAR, 2, 2, 1990)
              .appendPattern(" HH:mm:ss 'GMT'")
              .toFormatter(Locale.ENGLISH),
          DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss uuuu", Locale.ENGLISH),
          DateTimeFormatter.ofPattern("MMM d HH:mm:ss uuuu", Locale.ENGLISH));

  private HttpDates() {}

  static Optional<Instant> parse(String text) {
    String date = text.strip().replaceFirst("^[A-Za-z]+,? +", "");
    for (DateTimeFormatter form : FORMS) {
      try {
        return Optional.of(LocalDateTime.parse(date, form).toInstant(ZoneOffset.UTC));
      } catch (DateTimeException e) {
        // not this form
      }
    }
    return Optional.empty();
  }
}
