package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How changes of an entity type are meant to reach us. */
public enum Feed {
  /** By events; what a run finds is a disagreement. */
  @JsonProperty("events")
  EVENTS,
  /** No events exist: the run is the feed, and its rows count as loaded. */
  @JsonProperty("poll")
  POLL
}
