package io.hooktally.service.cli;

import java.io.Serial;

/** Ends a command with an exit code; all there is to say has been said. */
public final class ExitException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final int code;

  ExitException(int code) {
    super("exit code " + code);
    this.code = code;
  }

  /** What the process ends with. */
  public int code() {
    return code;
  }
}
