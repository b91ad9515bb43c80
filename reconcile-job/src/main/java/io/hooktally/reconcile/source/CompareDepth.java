package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How much of an entity is compared. */
public enum CompareDepth {
  /** The fields that the list's rows carry. */
  @JsonProperty("list")
  LIST,
  /** All of it: each listed entity is read singly. */
  @JsonProperty("aggregate")
  AGGREGATE
}
