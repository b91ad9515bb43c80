package io.hooktally.reconcile.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads durations as people write them: {@code 500ms}, {@code 30s}, {@code 2m}, {@code 12h}, {@code
 * 2d}, {@code PT1M}.
 */
public final class DurationReader extends StdScalarDeserializer<Duration> {
  @Serial private static final long serialVersionUID = 1L;

  private static final Pattern SHORT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");
  private static final Map<String, Duration> UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  /** For Jackson. */
  public DurationReader() {
    super(Duration.class);
  }

  /** Nothing when the text is no duration. */
  public static @Nullable Duration parse(String text) {
    Matcher matcher = SHORT.matcher(text.strip());
    if (matcher.matches()) {
      return UNITS
          .getOrDefault(matcher.group(2), Duration.ZERO)
          .multipliedBy(Long.parseLong(matcher.group(1)));
    }
    try {
      return Duration.parse(text.strip());
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  @Override
  public @Nullable Duration deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    String text = parser.getText();
    Duration duration = parse(text);
    if (duration != null) {
      return duration;
    }
    // Not an exception of our own: whoever reads a whole file may want all its problems at once.
    return (Duration)
        context.handleWeirdStringValue(
            Duration.class, text, "write a duration, for example 30s, 5m, 2d");
  }
}
