package io.hooktally.store.replica;

/** What apply did with a change. */
public enum Applied {
  /** The replica's content changed: a new state, a tombstone, or an entity brought back. */
  CHANGED,
  /** The replica says the same already; at most the read number rose. */
  UNCHANGED,
  /** The replica is newer: nothing was written. */
  OLDER,
  /**
   * The version rule cannot tell which is newer. The caller reads the source, outside any
   * transaction, and applies that read.
   */
  TIE
}
