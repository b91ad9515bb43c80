package io.hooktally.reconcile.report;

import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunState;

/**
 * What a run did and found. The counts hold once the run is done.
 *
 * @param run the run as it is recorded
 * @param counts counted from its rows
 */
public record RunReport(Run run, RunCounts counts) {
  /** The run's number. */
  public long id() {
    return run.id();
  }

  /** How far it got. */
  public RunState state() {
    return run.state();
  }

  /** Whether it completed and found source and replica to agree, earlier ones included. */
  public boolean agrees() {
    return state() == RunState.DONE
        && counts.found() == 0
        && counts.earlierChecked() == counts.earlierEnded();
  }
}
