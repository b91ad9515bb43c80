package io.hooktally.reconcile;

import io.hooktally.reconcile.report.RunReport;
import java.util.function.Supplier;

/** A run that has its number and its lease, and waits to be completed; exactly once. */
public final class StartedRun {
  private final long id;
  private final Supplier<RunReport> rest;

  StartedRun(long id, Supplier<RunReport> rest) {
    this.id = id;
    this.rest = rest;
  }

  /** Its number. */
  public long id() {
    return id;
  }

  /**
   * Does the run on this thread and gives its lease back.
   *
   * @return its report, with state {@code FAILED} where it failed
   * @throws io.hooktally.store.LeaseLostException when another run took the lease meanwhile
   */
  public RunReport complete() {
    return rest.get();
  }
}
