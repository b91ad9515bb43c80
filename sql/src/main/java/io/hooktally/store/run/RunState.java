package io.hooktally.store.run;

import java.util.Locale;

/** How far a run is. Stored in lower case. */
public enum RunState {
  /** At work, or its process died. */
  RUNNING,
  /** Completed: its report holds. */
  DONE,
  /** Ended without a proof; nothing is concluded from it. */
  FAILED,
  /** Its process died; a later run took its place. */
  SUPERSEDED,
  /** A person ended it; nothing is concluded from it. */
  CANCELLED;

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
  public static RunState of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
