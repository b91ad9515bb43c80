package io.hooktally.service.receive;

import io.hooktally.reconcile.source.SignatureConfig;
import io.hooktally.reconcile.source.SignatureScheme;
import io.hooktally.store.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/**
 * Schemes {@code basic} and {@code bearer} (RFC 7617, RFC 6750): the sender shows a secret, and
 * signs nothing. Compared by their hashes, so that the time tells neither content nor length.
 */
final class CredentialVerifier implements SignatureVerifier {
  private final SignatureConfig config;
  private final InstantSource clock;
  private final String scheme;

  CredentialVerifier(SignatureConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    this.scheme = config.scheme() == SignatureScheme.BASIC ? "Basic " : "Bearer ";
  }

  @Override
  public boolean verify(SentHeaders headers, byte[] body) {
    Optional<String> value = headers.only(config.header());
    if (value.isEmpty() || !value.get().regionMatches(true, 0, scheme, 0, scheme.length())) {
      return false;
    }
    byte[] sent = hash(value.get().substring(scheme.length()).strip());
    boolean verified = false;
    for (Secret secret : config.usable(clock.instant())) {
      verified |= MessageDigest.isEqual(hash(credential(secret)), sent);
    }
    return verified;
  }

  private String credential(Secret secret) {
    return config.scheme() == SignatureScheme.BASIC
        ? Base64.getEncoder().encodeToString(secret.value().getBytes(StandardCharsets.UTF_8))
        : secret.value().strip();
  }

  private static byte[] hash(String text) {
    return Reception.sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public boolean canVerify() {
    return !config.usable(clock.instant()).isEmpty();
  }
}
