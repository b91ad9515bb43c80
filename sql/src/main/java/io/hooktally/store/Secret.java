package io.hooktally.store;

import org.jspecify.annotations.Nullable;

/**
 * A secret value that never prints itself: logs and messages see only whether it is configured.
 * Empty or blank means not configured.
 *
 * @param value the secret, as issued; only signing, verifying and connecting read it
 */
public record Secret(String value) {
  private static final Secret NONE = new Secret("");

  /** The secret of a text that may be absent. */
  public static Secret of(@Nullable String value) {
    return value == null || value.isBlank() ? NONE : new Secret(value);
  }

  /** No secret: {@link #isConfigured()} is false. */
  public static Secret none() {
    return NONE;
  }

  /** Whether there is a secret at all; a blank one is none. */
  public boolean isConfigured() {
    return !value.isBlank();
  }

  @Override
  public String toString() {
    return isConfigured() ? "Secret(***)" : "Secret(not configured)";
  }
}
