package io.hooktally.store.run;

import java.util.Locale;

/** How a change was lost. Stored in lower case. */
public enum LossCause {
  /** No delivery of it is known. */
  NO_DELIVERY,
  /** Its event was received and is not handled yet. */
  PENDING,
  /** Its event is parked. */
  PARKED,
  /** Its event waits behind a parked one. */
  HELD,
  /** The row was applied, and changed here later. */
  CHANGED_HERE,
  /** A delivery came after the change, but what was applied was an older state. */
  APPLIED_OLDER;

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
  public static LossCause of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
