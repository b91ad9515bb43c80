package io.hooktally.service.receive;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Knows the headers that prove who somebody is, whose values are kept nowhere. Immutable. */
final class SecretHeaders {
  private static final Set<String> CREDENTIALS =
      Set.of(
          "authorization",
          "proxy-authorization",
          "cookie",
          "set-cookie",
          "x-api-key",
          "x-auth-token",
          "x-csrf-token",
          "x-forwarded-client-cert");
  // Names that other platforms and proxies give to what proves something.
  private static final Pattern TELLING =
      Pattern.compile("signature|hmac|secret|token|passw|credential|api-?key|auth");
  private static final Pattern FIRST_WORD = Pattern.compile("^[A-Za-z0-9_]{1,12}[= ,]");

  private final String signatureHeader;

  /**
   * Of one source.
   *
   * @param signatureHeader the header of its signature
   */
  SecretHeaders(String signatureHeader) {
    this.signatureHeader = signatureHeader.toLowerCase(Locale.ROOT);
  }

  /** Whether the header is the signature or a well-known credential; its name in any case. */
  boolean isCredential(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.equals(signatureHeader) || CREDENTIALS.contains(lower);
  }

  /** Whether the header may prove something, by its name. */
  boolean isSecret(String name) {
    return isCredential(name) || TELLING.matcher(name.toLowerCase(Locale.ROOT)).find();
  }

  /** What may be shown of a secret's value: how it begins, where that is a word, and its length. */
  String shape(String value) {
    var word = FIRST_WORD.matcher(value);
    String begin = value.length() >= 24 && word.find() ? word.group() : "";
    return begin + "… (" + value.length() + " characters)";
  }
}
