package io.hooktally.service.receive;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.hooktally.reconcile.source.SignatureConfig;
import io.hooktally.store.Json;
import io.hooktally.store.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs as a sender would, independently of the code under test. */
final class Signing {
  private Signing() {}

  /** A configuration as JSON writes it. */
  static SignatureConfig config(String json) {
    SimpleModule secrets =
        new SimpleModule()
            .addDeserializer(
                Secret.class,
                new StdDeserializer<>(Secret.class) {
                  private static final long serialVersionUID = 1L;

                  @Override
                  public Secret deserialize(JsonParser parser, DeserializationContext context)
                      throws IOException {
                    return Secret.of(parser.getText());
                  }
                });
    try {
      return Json.mapper().copy().registerModule(secrets).readValue(json, SignatureConfig.class);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

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
