package io.hooktally.service.receive;

import io.hooktally.reconcile.source.SignatureEncoding;
import io.hooktally.store.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Scheme {@code outpost}: {@code v0=<signature>[,[v0=]<signature>...]}, each HMAC-SHA256 over the
 * raw body with one secret, used whole as issued (a {@code whsec_} in front is part of it). Several
 * stand there while a secret is being rotated. Nothing but the body is signed.
 */
final class OutpostSignature implements SignatureVerifier {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String VERSION = "v0=";
  private static final int LENGTH = 32;

  private final List<SecretKeySpec> keys;
  private final SignatureEncoding encoding;

  OutpostSignature(List<Secret> secrets, SignatureEncoding encoding) {
    this.keys =
        secrets.stream()
            .filter(Secret::isConfigured)
            .map(secret -> secret.value().getBytes(StandardCharsets.UTF_8))
            .map(key -> new SecretKeySpec(key, ALGORITHM))
            .toList();
    this.encoding = encoding;
  }

  @Override
  public boolean verify(List<String> values, byte[] body) {
    if (values.size() != 1) {
      return false;
    }
    List<byte[]> candidates = candidates(values.get(0));
    boolean verified = false;
    for (SecretKeySpec key : keys) {
      byte[] expected = sign(key, body);
      for (byte[] candidate : candidates) {
        // No early exit: the time must not tell which secret or which signature it was.
        verified |= MessageDigest.isEqual(expected, candidate);
      }
    }
    return verified;
  }

  private List<byte[]> candidates(String header) {
    List<byte[]> candidates = new ArrayList<>();
    if (!header.startsWith(VERSION)) {
      return candidates;
    }
    for (String part : header.split(",", -1)) {
      String text = part.strip();
      byte[] decoded = decode(text.startsWith(VERSION) ? text.substring(VERSION.length()) : text);
      if (decoded.length == LENGTH) {
        candidates.add(decoded);
      }
    }
    return candidates;
  }

  // What cannot be read matches nothing.
  private byte[] decode(String text) {
    try {
      return switch (encoding) {
        case HEX -> HexFormat.of().parseHex(text);
        case BASE64 -> Base64.getDecoder().decode(text);
      };
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private static byte[] sign(SecretKeySpec key, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
