package io.hooktally.store;

import java.util.Locale;

/** How a change reached us. Stored in lower case ({@link #text()}). */
public enum Lane {
  /** A delivery, as it happens. */
  LIVE,
  /** A backfill of an old window. */
  BACKFILL,
  /** The fix of a reconciliation run. */
  RECONCILE,
  /** A stored event handed over again. */
  REPLAY;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** The lane as the database and the logs write it, such as {@code live}. */
  public String text() {
    return text;
  }

  /**
   * The lane of a stored text.
   *
   * @throws IllegalArgumentException when no lane is written so
   */
  public static Lane of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
