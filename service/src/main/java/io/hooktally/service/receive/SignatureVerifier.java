package io.hooktally.service.receive;

import io.hooktally.reconcile.source.SignatureConfig;
import java.time.InstantSource;

/** Decides whether a delivery is from who it says. Thread-safe. */
interface SignatureVerifier {
  /**
   * Whether the delivery is signed. Never throws for what was sent.
   *
   * @param headers as they were sent
   * @param body the raw body
   */
  boolean verify(SentHeaders headers, byte[] body);

  /** Whether there is a secret at all; without one nothing verifies. */
  boolean canVerify();

  /**
   * The verifier of a source.
   *
   * @param clock what signed timestamps, and the end of a secret's rotation, are held against
   */
  static SignatureVerifier of(SignatureConfig config, InstantSource clock) {
    return switch (config.scheme()) {
      case NONE -> new Unverified();
      case BASIC, BEARER -> new CredentialVerifier(config, clock);
      default -> new HmacVerifier(config, clock);
    };
  }

  /** Takes everything. */
  final class Unverified implements SignatureVerifier {
    @Override
    public boolean verify(SentHeaders headers, byte[] body) {
      return true;
    }

    @Override
    public boolean canVerify() {
      return true;
    }
  }
}
