package io.hooktally.store.run;

import java.util.Locale;

/** Why a run takes place. Stored in lower case. */
public enum RunReason {
  /** Its daily time has come. */
  SCHEDULED,
  /** A person asked for it. */
  MANUAL,
  /** A person asked for an old window to be loaded. */
  BACKFILL,
  /** The whole list is walked once, to find what no window can show. */
  SWEEP;

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
  public static RunReason of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
