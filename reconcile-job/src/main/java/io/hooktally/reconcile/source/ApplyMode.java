package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What an event's entity is taken from. */
public enum ApplyMode {
  /** The delivery's body carries the whole entity. */
  @JsonProperty("payload")
  PAYLOAD,
  /** The event is only the trigger: the entity is read from the source's API. */
  @JsonProperty("reread")
  REREAD
}
