package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes as people write it: {@code 16MiB}, {@code 512 KiB}, {@code 1000}.
 *
 * @param bytes how many
 */
public record ByteSize(long bytes) {
  private static final Pattern SHAPE =
      Pattern.compile("(\\d{1,12})\\s*([kmg]?)(i?)b?", Pattern.CASE_INSENSITIVE);

  /**
   * The size a text says.
   *
   * @throws IllegalArgumentException when the text is no size
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static ByteSize parse(String text) {
    Matcher matcher = SHAPE.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("write a size, for example 16MiB");
    }
    long unit = matcher.group(3).isEmpty() ? 1000 : 1024;
    int power =
        " kmg"
            .indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2).toLowerCase(Locale.ROOT));
    long bytes = Long.parseLong(matcher.group(1));
    for (int i = 0; i < power; i++) {
      bytes = Math.multiplyExact(bytes, unit);
    }
    return new ByteSize(bytes);
  }

  @JsonValue
  @Override
  public String toString() {
    return bytes + "B";
  }
}
