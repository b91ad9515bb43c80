package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a source writes points in time. */
public enum TimeFormat {
  /** Text in ISO 8601, with a zone. */
  @JsonProperty("iso")
  ISO,
  /** Seconds since 1970, UTC, with a fraction or without; a number, or text of one. */
  @JsonProperty("epoch_seconds")
  EPOCH_SECONDS,
  /** Milliseconds since 1970, UTC. */
  @JsonProperty("epoch_millis")
  EPOCH_MILLIS,
  /** Microseconds since 1970, UTC. */
  @JsonProperty("epoch_micros")
  EPOCH_MICROS
}
