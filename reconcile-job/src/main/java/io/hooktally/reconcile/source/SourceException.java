package io.hooktally.reconcile.source;

import io.hooktally.reconcile.ReconcileException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The source's API did not give what was asked for. */
public abstract class SourceException extends ReconcileException {
  @Serial private static final long serialVersionUID = 1L;

  private final int status;

  SourceException(String message, int status, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** The HTTP status answered; 0 when none came. */
  public int status() {
    return status;
  }
}
