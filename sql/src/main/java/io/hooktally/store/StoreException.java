package io.hooktally.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The root of what this module throws: what went wrong, where, and what to do about it. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message for a person. */
  public StoreException(String message) {
    super(message);
  }

  /** With a message for a person and what caused it. */
  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
