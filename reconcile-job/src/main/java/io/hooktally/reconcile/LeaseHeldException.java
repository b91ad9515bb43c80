package io.hooktally.reconcile;

import java.io.Serial;

/** Another run of the same source and entity type is at work. */
public final class LeaseHeldException extends ReconcileException {
  @Serial private static final long serialVersionUID = 1L;

  private final String holder;

  LeaseHeldException(String source, String entityType, String holder) {
    super("a run of " + source + "/" + entityType + " is at work already, by " + holder);
    this.holder = holder;
  }

  /** Who holds the lease, for people. */
  public String holder() {
    return holder;
  }
}
