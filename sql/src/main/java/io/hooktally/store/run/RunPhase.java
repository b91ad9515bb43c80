package io.hooktally.store.run;

import java.util.Locale;

/** What a run is at. Stored in lower case. */
public enum RunPhase {
  /** Walks the list, and compares. */
  LISTING,
  /** Looks for rows of the replica that were not listed. */
  SEARCHING,
  /** Looks at suspects again, on both sides. */
  CONFIRMING,
  /** Writes the fixes. */
  FIXING,
  /** Compares what was fixed once more. */
  LOOKING_BACK;

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
  public static RunPhase of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
