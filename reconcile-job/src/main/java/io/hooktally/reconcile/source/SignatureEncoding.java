package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the bytes of a signature are written in its header. */
public enum SignatureEncoding {
  /** Two hexadecimal digits per byte, upper or lower case. */
  @JsonProperty("hex")
  HEX,
  /** Base64 with padding. */
  @JsonProperty("base64")
  BASE64
}
