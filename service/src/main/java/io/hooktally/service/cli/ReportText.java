package io.hooktally.service.cli;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunState;

/** A run's report for people. */
final class ReportText {
  private ReportText() {}

  static String of(RunReport report) {
    Run run = report.run();
    RunCounts counts = report.counts();
    StringBuilder text = new StringBuilder();
    text.append(
        "run %d: %s of %s/%s, %s to %s, %s%n"
            .formatted(
                run.id(),
                run.reason().text(),
                run.source(),
                run.entityType(),
                run.from(),
                run.to(),
                run.state().text()));
    if (run.state() != RunState.DONE) {
      return text.append("  why: ").append(run.error()).toString();
    }
    text.append(
        "  listed %d, found %d (%s), loaded %d%n"
            .formatted(run.listed(), counts.found(), kinds(counts), counts.loaded()));
    text.append(
        "  fixed %d, held back %d, left %d, failed %d, residual %d%n"
            .formatted(
                counts.fixed(),
                counts.heldBack(),
                counts.left(),
                counts.failed(),
                counts.residual()));
    text.append(
        report.agrees()
            ? "  Source and replica agree."
            : counts.fixed() == counts.found()
                ? "  Source and replica disagreed; now they agree."
                : "  Source and replica disagree.");
    return text.toString();
  }

  private static String kinds(RunCounts counts) {
    StringBuilder text = new StringBuilder();
    for (Kind kind : Kind.values()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(kind.text())
          .append(' ')
          .append(counts.byKind().getOrDefault(kind, 0L));
    }
    return text.toString();
  }
}
