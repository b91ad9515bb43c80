package io.hooktally.store.run;

import java.util.Locale;

/** How source and replica differ on an entity. Stored in lower case. */
public enum Kind {
  /** The source has it, we do not. */
  MISSING,
  /** Ours is older. */
  STALE,
  /** Same modified time, other content. */
  DIFFERENT,
  /** We have it, the source does not. */
  EXTRA,
  /** Ours is newer. */
  AHEAD;

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
  public static Kind of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
