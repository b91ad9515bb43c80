package io.hooktally.service.receive;

import io.hooktally.reconcile.source.SignatureConfig;
import io.hooktally.reconcile.source.SignatureScheme;
import java.util.List;

/** Decides whether a delivery is from who it says. Thread-safe. */
interface SignatureVerifier {
  /**
   * Whether the body is signed. Never throws for what was sent.
   *
   * @param values every value of the signature header, in the order they came
   * @param body the raw body
   */
  boolean verify(List<String> values, byte[] body);

  /** The verifier of a source; without a usable secret it verifies nothing. */
  static SignatureVerifier of(SignatureConfig config) {
    return config.scheme() == SignatureScheme.NONE
        ? (values, body) -> true
        : new OutpostSignature(config.usable(), config.encoding());
  }
}
