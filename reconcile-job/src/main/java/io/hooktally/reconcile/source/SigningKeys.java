package io.hooktally.reconcile.source;

import io.hooktally.store.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** The key that a secret stands for. It is read as configured, and never guessed from its looks. */
public final class SigningKeys {
  private static final String PREFIX = "whsec_";

  private SigningKeys() {}

  /** The key's bytes; nothing where the secret is not written that way, or stands for no byte. */
  public static Optional<byte[]> bytes(Secret secret, SecretEncoding encoding) {
    String text = secret.value();
    try {
      byte[] key =
          switch (encoding) {
            case TEXT -> text.getBytes(StandardCharsets.UTF_8);
            case HEX -> HexFormat.of().parseHex(text.strip());
            case BASE64 -> Base64.getDecoder().decode(text.strip());
            case WHSEC ->
                Base64.getDecoder()
                    .decode(
                        text.strip().startsWith(PREFIX)
                            ? text.strip().substring(PREFIX.length())
                            : text.strip());
          };
      return key.length == 0 ? Optional.empty() : Optional.of(key);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
