package io.hooktally.reconcile.source;

/** Who goes first when requests of one source compete for its budget; in this order. */
public enum Priority {
  /** Reads on behalf of events. */
  LIVE,
  /** A run that compares. */
  RECONCILE,
  /** A run that loads the past. */
  BACKFILL
}
