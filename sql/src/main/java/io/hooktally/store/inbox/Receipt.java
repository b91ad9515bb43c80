package io.hooktally.store.inbox;

/** What became of one delivery. */
public enum Receipt {
  /** The first of its event id: event, payload and dispatch rows are committed. */
  STORED,
  /** The event was there already, with the same body. */
  DUPLICATE,
  /** The event was there already, with another body; that body is kept as a conflict. */
  CONFLICT,
  /** The database refuses this delivery for what it contains. Nothing of it is kept. */
  UNSTORABLE,
  /**
   * The database could not be reached or did not answer in time. Nothing of it is known to be kept:
   * a commit may have succeeded unseen, then the next delivery of the event is a duplicate.
   */
  UNAVAILABLE;

  /** Whether the event is durably committed, so that a 2xx may leave. */
  public boolean committed() {
    return this == STORED || this == DUPLICATE || this == CONFLICT;
  }
}
