package io.hooktally.reconcile.source;

import io.hooktally.reconcile.ReconcileException;
import java.io.Serial;

/** A body that cannot be read as what the configuration says it is. */
public final class InvalidEventException extends ReconcileException {
  @Serial private static final long serialVersionUID = 1L;

  InvalidEventException(String message) {
    super(message);
  }
}
