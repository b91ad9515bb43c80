package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** How a source proves that a delivery is its own. A secret is read as its scheme says. */
public enum SignatureScheme {
  /** {@code v0=<hex>[,<hex>]} of HMAC-SHA256 over the raw body; or by templates. */
  @JsonProperty("outpost")
  OUTPOST("", "v0={signature}", "{body}", SignatureEncoding.HEX, SecretEncoding.TEXT),
  /** {@code v1,<base64>} over id, timestamp and body; the secret is base64 behind whsec_. */
  @JsonProperty("standard-webhooks")
  STANDARD_WEBHOOKS(
      "webhook-signature",
      "v1,{signature}",
      "{id}.{timestamp}.{body}",
      SignatureEncoding.BASE64,
      SecretEncoding.WHSEC),
  /** {@code t=<seconds>,v1=<hex>} over timestamp and body. */
  @JsonProperty("stripe")
  STRIPE(
      "Stripe-Signature",
      "t={timestamp},v1={signature}",
      "{timestamp}.{body}",
      SignatureEncoding.HEX,
      SecretEncoding.TEXT),
  /** {@code sha256=<hex>} over the body. */
  @JsonProperty("github")
  GITHUB(
      "X-Hub-Signature-256",
      "sha256={signature}",
      "{body}",
      SignatureEncoding.HEX,
      SecretEncoding.TEXT),
  /** The base64 of the body's HMAC. */
  @JsonProperty("shopify")
  SHOPIFY(
      "X-Shopify-Hmac-Sha256",
      "{signature}",
      "{body}",
      SignatureEncoding.BASE64,
      SecretEncoding.TEXT),
  /** An HMAC as the configuration describes it. */
  @JsonProperty("hmac")
  HMAC("", "{signature}", "{body}", SignatureEncoding.HEX, SecretEncoding.TEXT),
  /** HTTP Basic: each secret is {@code user:password}. Nothing is signed. */
  @JsonProperty("basic")
  BASIC("Authorization", "", "", SignatureEncoding.BASE64, SecretEncoding.TEXT),
  /** {@code Bearer <secret>}. Nothing is signed. */
  @JsonProperty("bearer")
  BEARER("Authorization", "", "", SignatureEncoding.HEX, SecretEncoding.TEXT),
  /** Nothing is verified. Has to be asked for. */
  @JsonProperty("none")
  NONE("", "", "", SignatureEncoding.HEX, SecretEncoding.TEXT);

  final String header;
  final String form;
  final String content;
  final SignatureEncoding encoding;
  final SecretEncoding secretEncoding;

  SignatureScheme(
      String header,
      String form,
      String content,
      SignatureEncoding encoding,
      SecretEncoding secretEncoding) {
    this.header = header;
    this.form = form;
    this.content = content;
    this.encoding = encoding;
    this.secretEncoding = secretEncoding;
  }

  /** Whether the body is signed with an HMAC. */
  public boolean isHmac() {
    return !content.isEmpty();
  }

  /** Whether its templates may be configured. */
  boolean isFree() {
    return this == OUTPOST || this == HMAC;
  }

  /** The name in config.yml. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
