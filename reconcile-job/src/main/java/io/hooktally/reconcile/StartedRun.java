package io.hooktally.reconcile;

import io.hooktally.reconcile.report.RunReport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A run that has its number and its lease, and waits to be completed or abandoned; exactly once.
 */
public final class StartedRun {
  private final long id;
  private final Supplier<RunReport> rest;
  private final Consumer<String> abandon;

  StartedRun(long id, Supplier<RunReport> rest, Consumer<String> abandon) {
    this.id = id;
    this.rest = rest;
    this.abandon = abandon;
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

  /** Records the run as failed before it began, for this reason, and gives its lease back. */
  public void abandon(String why) {
    abandon.accept(why);
  }
}
