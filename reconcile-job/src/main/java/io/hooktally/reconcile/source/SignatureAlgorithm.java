package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The hash of an HMAC. */
public enum SignatureAlgorithm {
  @JsonProperty("sha256")
  SHA256("HmacSHA256", 32),
  @JsonProperty("sha512")
  SHA512("HmacSHA512", 64),
  /** For senders that have nothing better. */
  @JsonProperty("sha1")
  SHA1("HmacSHA1", 20);

  private final String mac;
  private final int length;

  SignatureAlgorithm(String mac, int length) {
    this.mac = mac;
    this.length = length;
  }

  /** The name Java knows it by. */
  public String mac() {
    return mac;
  }

  /** Bytes of a signature. */
  public int length() {
    return length;
  }
}
