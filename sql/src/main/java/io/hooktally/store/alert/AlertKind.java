package io.hooktally.store.alert;

import java.util.Locale;

/** What an alert is about. */
public enum AlertKind {
  /** A run found disagreements. */
  DISAGREEMENTS,
  /** A run held something back for a person. */
  HELD_BACK,
  /** A run failed. */
  FAILED,
  /** The last disagreement that was open has ended. */
  SOLVED,
  /** A source does not answer, or not us: its events wait. */
  SOURCE_UNREACHABLE,
  /** Two bodies came under one event id. */
  CONFLICT;

  /** As the database writes it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
