package io.hooktally.service.receive;

import io.hooktally.reconcile.source.SignatureConfig;
import io.hooktally.reconcile.source.SignatureEncoding;
import io.hooktally.reconcile.source.SignatureTemplates;
import io.hooktally.reconcile.source.SignatureTemplates.Part;
import io.hooktally.reconcile.source.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signatures by HMAC, as the two templates of the configuration say. Where a timestamp is signed it
 * must lie within the tolerance of now; where none is, nothing pretends to.
 */
final class HmacVerifier implements SignatureVerifier {
  // Seconds since 1970, until the year 33658.
  private static final int MOST_DIGITS = 12;

  private final SignatureConfig config;
  private final InstantSource clock;
  private final SignatureForm form;
  private final List<Part> content;
  private final boolean signsTime;
  private final Instant rotationEnd;
  private final List<SecretKeySpec> keys;
  private final List<SecretKeySpec> keysAfterRotation;

  HmacVerifier(SignatureConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    this.form = new SignatureForm(config.form());
    this.content = SignatureTemplates.content(config.content());
    this.signsTime = content.contains(new Part(true, "timestamp"));
    this.rotationEnd = config.previousEnd();
    this.keys = keys(config, Instant.MIN);
    this.keysAfterRotation = keys(config, Instant.MAX);
  }

  @Override
  public boolean canVerify() {
    return !keys().isEmpty();
  }

  @Override
  public boolean verify(SentHeaders headers, byte[] body) {
    Optional<SignatureForm.Read> read = headers.only(config.header()).map(form::read);
    if (read.isEmpty() || (signsTime && !isTimely(headers, read.get()))) {
      return false;
    }
    Optional<List<byte[]>> signed = signed(headers, read.get(), body);
    if (signed.isEmpty()) {
      return false;
    }
    List<byte[]> candidates = new ArrayList<>();
    read.get().signatures().forEach(text -> candidates.add(decode(text)));
    boolean verified = false;
    for (SecretKeySpec key : keys()) {
      byte[] expected = sign(key, signed.get());
      for (byte[] candidate : candidates) {
        // No early exit: the time must not tell which secret or which signature it was.
        verified |= MessageDigest.isEqual(expected, candidate);
      }
    }
    return verified;
  }

  private List<SecretKeySpec> keys() {
    return clock.instant().isAfter(rotationEnd) ? keysAfterRotation : keys;
  }

  private static List<SecretKeySpec> keys(SignatureConfig config, Instant at) {
    return config.usable(at).stream()
        .flatMap(secret -> SigningKeys.bytes(secret, config.secretEncoding()).stream())
        .map(key -> new SecretKeySpec(key, config.algorithm().mac()))
        .toList();
  }

  private boolean isTimely(SentHeaders headers, SignatureForm.Read read) {
    String text = timestamp(headers, read).orElse("");
    if (text.isEmpty()
        || text.length() > MOST_DIGITS
        || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return false;
    }
    Instant sent = Instant.ofEpochSecond(Long.parseLong(text));
    return Duration.between(sent, clock.instant()).abs().compareTo(config.tolerance()) <= 0;
  }

  private Optional<String> timestamp(SentHeaders headers, SignatureForm.Read read) {
    return config.timestampHeader().isEmpty()
        ? read.value("timestamp")
        : headers.only(config.timestampHeader());
  }

  /** What is signed, in pieces: the body is not copied. Nothing where a piece is missing. */
  private Optional<List<byte[]>> signed(SentHeaders headers, SignatureForm.Read read, byte[] body) {
    List<byte[]> pieces = new ArrayList<>();
    for (Part part : content) {
      Optional<byte[]> piece =
          part.place() && part.text().equals("body")
              ? Optional.of(body)
              : text(part, headers, read).map(text -> text.getBytes(StandardCharsets.UTF_8));
      if (piece.isEmpty()) {
        return Optional.empty();
      }
      pieces.add(piece.get());
    }
    return Optional.of(pieces);
  }

  private Optional<String> text(Part part, SentHeaders headers, SignatureForm.Read read) {
    if (!part.place()) {
      return Optional.of(part.text());
    } else if (part.text().equals("timestamp")) {
      return timestamp(headers, read);
    }
    return part.text().startsWith("header.")
        ? headers.only(part.text().substring("header.".length()))
        : read.value(part.text());
  }

  // What cannot be read matches nothing.
  private byte[] decode(String text) {
    try {
      return config.encoding() == SignatureEncoding.HEX
          ? HexFormat.of().parseHex(text)
          : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  static byte[] sign(SecretKeySpec key, List<byte[]> pieces) {
    try {
      Mac mac = Mac.getInstance(key.getAlgorithm());
      mac.init(key);
      pieces.forEach(mac::update);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + key.getAlgorithm(), e);
    }
  }
}
