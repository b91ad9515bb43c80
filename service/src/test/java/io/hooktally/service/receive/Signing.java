package io.hooktally.service.receive;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs as a sender would, independently of the code under test. */
final class Signing {
  private Signing() {}

  static String v0(String secret, byte[] body) {
    return "v0=" + hex("HmacSHA256", secret, body);
  }

  static String hex(String algorithm, String secret, byte[] body) {
    return HexFormat.of().formatHex(hmac(algorithm, secret, body));
  }

  static byte[] hmac(String algorithm, String secret, byte[] body) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), algorithm));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
