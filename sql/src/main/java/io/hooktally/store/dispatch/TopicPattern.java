package io.hooktally.store.dispatch;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Topic globs as one anchored regular expression that Java and PostgreSQL read alike. In a glob
 * {@code *} stands for any run of characters, dots too; everything else for itself.
 */
public final class TopicPattern {
  private TopicPattern() {}

  /**
   * The expression that matches what any of the globs matches.
   *
   * @param globs such as {@code order.*}; with none, nothing matches
   */
  public static String of(Collection<String> globs) {
    return globs.stream()
        .map(TopicPattern::expression)
        .collect(Collectors.joining("|", "^(?:", ")$"));
  }

  private static String expression(String glob) {
    StringBuilder expression = new StringBuilder();
    glob.codePoints()
        .forEach(
            c -> {
              if (c == '*') {
                expression.append(".*");
              } else if ((Character.isLetterOrDigit(c) && c < 128) || c == '_') {
                expression.appendCodePoint(c);
              } else if (c > 127) {
                expression.appendCodePoint(c);
              } else {
                // Both dialects know this notation, whatever the character means elsewhere.
                expression.append(String.format(Locale.ROOT, "\\u%04x", c));
              }
            });
    return expression.toString();
  }
}
