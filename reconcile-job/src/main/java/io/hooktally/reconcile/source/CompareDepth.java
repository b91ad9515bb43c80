package io.hooktally.reconcile.source;

/** How much of an entity is compared. */
public enum CompareDepth {
  /** The fields that the list's rows carry. */
  LIST,
  /** All of it: each listed entity is read singly. */
  AGGREGATE
}
