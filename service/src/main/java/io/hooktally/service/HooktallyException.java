package io.hooktally.service;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The root of what this module throws: what went wrong, where, and what to do about it. */
public class HooktallyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message for a person. */
  public HooktallyException(String message) {
    super(message);
  }

  /** With a message for a person and what caused it. */
  public HooktallyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
