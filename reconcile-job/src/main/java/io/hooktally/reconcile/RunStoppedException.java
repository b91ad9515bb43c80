package io.hooktally.reconcile;

import java.io.Serial;

/** The run is to end now: a person cancelled it, or the service stops. */
final class RunStoppedException extends ReconcileException {
  @Serial private static final long serialVersionUID = 1L;

  RunStoppedException() {
    super("the run is to end now");
  }
}
