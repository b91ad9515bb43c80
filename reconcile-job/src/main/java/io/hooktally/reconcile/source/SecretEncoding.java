package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What of a secret is the key. */
public enum SecretEncoding {
  /** Its characters in UTF-8, all of them. */
  @JsonProperty("text")
  TEXT,
  /** The bytes it writes in hexadecimal digits. */
  @JsonProperty("hex")
  HEX,
  /** The bytes it writes in base64. */
  @JsonProperty("base64")
  BASE64,
  /** The bytes it writes in base64, behind {@code whsec_} where that is in front. */
  @JsonProperty("whsec")
  WHSEC
}
