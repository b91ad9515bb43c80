package io.hooktally.reconcile;

import java.io.Serial;

/** A run that makes no sense as asked for: says what is wrong and what to ask for instead. */
public final class RunRefusedException extends ReconcileException {
  @Serial private static final long serialVersionUID = 1L;

  RunRefusedException(String message) {
    super(message);
  }
}
