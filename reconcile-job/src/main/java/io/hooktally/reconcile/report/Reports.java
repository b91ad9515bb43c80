package io.hooktally.reconcile.report;

import io.hooktally.store.run.Coverage;
import io.hooktally.store.run.Disagreements;
import io.hooktally.store.run.Finding;
import io.hooktally.store.run.Findings;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunHistory;
import io.hooktally.store.run.Runs;
import io.hooktally.store.run.Sums;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Puts the reports of recorded runs together. Only reads. Thread-safe. */
public final class Reports {
  /** Disagreements that a page shows; the rest is in the CSV. */
  public static final int FINDINGS = 500;

  private static final int SUMS = 1001;
  private static final int PAST = 30;
  private static final int PAGE = 500;

  private final Runs runs;
  private final Disagreements disagreements;
  private final Findings findings;
  private final Sums sums;
  private final Coverage coverage;
  private final RunHistory history;

  /** Over the runs in the database of {@code jdbi}. */
  public Reports(Jdbi jdbi) {
    this.runs = new Runs(jdbi);
    this.disagreements = new Disagreements(jdbi);
    this.findings = new Findings(jdbi);
    this.sums = new Sums(jdbi);
    this.coverage = new Coverage(jdbi);
    this.history = new RunHistory(jdbi);
  }

  /** The newest run's number, of a source and an entity type where they are given. */
  public Optional<Long> latest(@Nullable String source, @Nullable String entityType) {
    return history.latest(source, entityType);
  }

  /**
   * The report of a run, also while it is at work; nothing where there is no such run.
   *
   * @param limit how many disagreements at most
   */
  public Optional<FullReport> find(long id, int limit) {
    return runs.find(id).map(run -> report(run, limit));
  }

  private FullReport report(Run run, int limit) {
    List<Finding> first = findings.list(run.id(), "", limit + 1);
    boolean more = first.size() > limit;
    return new FullReport(
        new RunReport(run, disagreements.counts(run.id())),
        sums.list(run.id(), SUMS),
        coverage.leftOut(run.id()),
        more ? first.subList(0, limit) : first,
        more,
        history.upTo(run, PAST));
  }

  /** A run's disagreements in the order of ids, those behind {@code after}. */
  public List<Finding> findings(long id, String after, int limit) {
    return findings.list(id, after, limit);
  }

  /**
   * All disagreements of a run as CSV, some in memory at a time; false when there is no such run.
   */
  public boolean writeCsv(long id, Appendable out) throws IOException {
    Optional<Run> run = runs.find(id);
    if (run.isEmpty()) {
      return false;
    }
    DisagreementsCsv csv = new DisagreementsCsv(run.get(), out);
    String after = "";
    while (true) {
      List<Finding> page = findings.list(id, after, PAGE);
      if (page.isEmpty()) {
        return true;
      }
      csv.add(page);
      after = page.get(page.size() - 1).entityId();
    }
  }
}
