package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** By which of its times a list is sorted, newest first. */
public enum ListOrder {
  /** By modified time; by created time where an entity was never modified. */
  @JsonProperty("modified")
  MODIFIED,
  /** By created time, which no update moves. */
  @JsonProperty("created")
  CREATED
}
