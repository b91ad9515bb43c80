package io.hooktally.store.run;

import java.util.Locale;

/** What became of a suspect. Stored in lower case. */
public enum SuspectState {
  /** Not confirmed yet. */
  SUSPECT,
  /** Confirmed on both sides; not decided yet. */
  CONFIRMED,
  /** The replica was brought to the source's state. */
  FIXED,
  /** Found and not fixed: waits for a person. */
  HELD_BACK,
  /** Found and not fixed, by mode or kind. */
  LEFT,
  /** Its fix failed. */
  FAILED,
  /** Confirmation did not uphold it. */
  DISSOLVED,
  /** The source changed it again after it was listed. */
  MOVED_ON;

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
  public static SuspectState of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
