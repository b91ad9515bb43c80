package io.hooktally.store.run;

import java.util.Locale;

/** What a run does with what it finds. Stored in lower case. */
public enum RunMode {
  /** Fixes it. */
  FIX,
  /** Reports it, and leaves the replica alone. */
  REPORT;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As the database writes it. */
  public String text() {
    return text;
  }

  /**
   * Of a stored text.
   *
   * @throws IllegalArgumentException when none is written so
   */
  public static RunMode of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
