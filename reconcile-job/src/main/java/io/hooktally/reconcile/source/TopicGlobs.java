package io.hooktally.reconcile.source;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Globs over topics: {@code *} is any run of characters, everything else is itself. */
public final class TopicGlobs {
  private final Pattern pattern;

  /** Matches a topic that any of the globs matches; without globs none. */
  public TopicGlobs(List<String> globs) {
    this.pattern = Pattern.compile(regex(globs), Pattern.DOTALL);
  }

  /** Whether one of the globs matches. */
  public boolean matches(String topic) {
    return pattern.matcher(topic).matches();
  }

  /** The globs as one anchored regular expression that means the same in Java and in PostgreSQL. */
  public static String regex(List<String> globs) {
    // An empty alternation would match the empty topic; nothing stands before a beginning.
    return globs.isEmpty()
        ? "a^"
        : globs.stream().map(TopicGlobs::one).collect(Collectors.joining("|", "^(?:", ")$"));
  }

  private static String one(String glob) {
    StringBuilder regex = new StringBuilder();
    glob.codePoints()
        .forEach(
            c -> {
              if (c == '*') {
                regex.append(".*");
              } else if (c < 128 && !Character.isLetterOrDigit(c) && c > ' ') {
                regex.append('\\').appendCodePoint(c);
              } else {
                regex.appendCodePoint(c);
              }
            });
    return regex.toString();
  }
}
