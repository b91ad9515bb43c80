package io.hooktally.service;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Something the service cannot do; the message says what, where, and what to do about it. */
public class HooktallyException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** With a message for the user. */
  public HooktallyException(String message) {
    super(message);
  }

  /** With a message for the user, and what lies behind it. */
  public HooktallyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
