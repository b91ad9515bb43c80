package io.hooktally.reconcile;

import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Root of what the repair way throws. Messages say what, where and what to do; never a payload or a
 * secret.
 */
public class ReconcileException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** With a message for a person. */
  public ReconcileException(String message) {
    super(message);
  }

  /** With a message for a person, and what led to it. */
  public ReconcileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
