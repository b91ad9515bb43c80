package io.hooktally.reconcile.report;

import io.hooktally.store.run.Finding;
import io.hooktally.store.run.PastRun;
import io.hooktally.store.run.RunSum;
import java.util.List;

/**
 * Everything a run says: its report, with sums, what it left out, its disagreements and the runs
 * before it.
 *
 * @param sums on both sides; disagreeing ones first where there are too many
 * @param notCovered what it did not look at, in sentences
 * @param findings the first disagreements, by id
 * @param more whether there are further ones
 * @param history the last runs of the same source and entity type up to this one, oldest first
 */
public record FullReport(
    RunReport report,
    List<RunSum> sums,
    List<String> notCovered,
    List<Finding> findings,
    boolean more,
    List<PastRun> history) {
  /** The verdict in one sentence. */
  public String verdict() {
    return VerdictText.of(report);
  }
}
