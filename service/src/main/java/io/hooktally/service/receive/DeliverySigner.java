package io.hooktally.service.receive;

import io.hooktally.reconcile.source.SignatureConfig;
import io.hooktally.reconcile.source.SignatureEncoding;
import io.hooktally.reconcile.source.SignatureTemplates;
import io.hooktally.reconcile.source.SignatureTemplates.Element;
import io.hooktally.reconcile.source.SignatureTemplates.Part;
import io.hooktally.reconcile.source.SigningKeys;
import io.hooktally.store.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.spec.SecretKeySpec;

/** Signs a delivery as its source would, to try the way in. Pure. */
public final class DeliverySigner {
  private DeliverySigner() {}

  /**
   * The headers that prove a delivery.
   *
   * @param secret one of the source's
   * @param now what is signed as its time
   * @param sent the delivery's other headers, which may be signed too
   * @throws IllegalArgumentException when the secret is not written as the scheme says
   */
  public static Map<String, String> sign(
      SignatureConfig config, Secret secret, Instant now, Map<String, String> sent, byte[] body) {
    Map<String, String> headers = new LinkedHashMap<>();
    switch (config.scheme()) {
      case NONE -> {}
      case BASIC ->
          headers.put(
              config.header(),
              "Basic "
                  + Base64.getEncoder()
                      .encodeToString(secret.value().getBytes(StandardCharsets.UTF_8)));
      case BEARER -> headers.put(config.header(), "Bearer " + secret.value().strip());
      default -> {
        String timestamp = String.valueOf(now.getEpochSecond());
        if (!config.timestampHeader().isEmpty()) {
          headers.put(config.timestampHeader(), timestamp);
        }
        headers.put(
            config.header(),
            header(config, timestamp, hmac(config, secret, timestamp, sent, body)));
      }
    }
    return headers;
  }

  private static String header(SignatureConfig config, String timestamp, String signature) {
    return SignatureTemplates.form(config.form()).stream()
        .map(element -> element.key() + value(element, timestamp, signature))
        .collect(Collectors.joining(","));
  }

  private static String value(Element element, String timestamp, String signature) {
    return switch (element.name()) {
      case "signature" -> signature;
      case "timestamp" -> timestamp;
      default -> "";
    };
  }

  private static String hmac(
      SignatureConfig config,
      Secret secret,
      String timestamp,
      Map<String, String> sent,
      byte[] body) {
    byte[] key =
        SigningKeys.bytes(secret, config.secretEncoding())
            .orElseThrow(() -> new IllegalArgumentException("the secret is of another form"));
    Map<String, String> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    named.putAll(sent);
    List<byte[]> pieces =
        SignatureTemplates.content(config.content()).stream()
            .map(part -> piece(part, timestamp, named, body))
            .toList();
    byte[] signature = HmacVerifier.sign(new SecretKeySpec(key, config.algorithm().mac()), pieces);
    return config.encoding() == SignatureEncoding.HEX
        ? HexFormat.of().formatHex(signature)
        : Base64.getEncoder().encodeToString(signature);
  }

  private static byte[] piece(Part part, String timestamp, Map<String, String> sent, byte[] body) {
    if (!part.place()) {
      return part.text().getBytes(StandardCharsets.UTF_8);
    } else if (part.text().equals("body")) {
      return body;
    } else if (part.text().equals("timestamp")) {
      return timestamp.getBytes(StandardCharsets.UTF_8);
    }
    boolean header = part.text().startsWith("header.");
    String value = header ? sent.getOrDefault(part.text().substring(7), "") : "";
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
