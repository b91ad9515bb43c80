package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of a delivery that carries no event id. */
public enum MissingId {
  /** It is refused. */
  @JsonProperty("refuse")
  REFUSE,
  /**
   * The hash of its body is its id. The same body may be another event, so each further delivery of
   * it has the entity read.
   */
  @JsonProperty("hash")
  HASH
}
