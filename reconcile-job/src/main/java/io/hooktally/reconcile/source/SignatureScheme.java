package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a source signs its deliveries. */
public enum SignatureScheme {
  /** {@code v0=<hex>[,<hex>]} of HMAC-SHA256 over the raw body. */
  @JsonProperty("outpost")
  OUTPOST,
  /** Nothing is verified. Has to be asked for. */
  @JsonProperty("none")
  NONE
}
