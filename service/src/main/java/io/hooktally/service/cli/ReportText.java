package io.hooktally.service.cli;

import io.hooktally.reconcile.report.FullReport;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.report.VerdictText;
import io.hooktally.store.run.Difference;
import io.hooktally.store.run.Finding;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.RunSum;

/** A run's report for people, in lines. */
final class ReportText {
  /** Disagreements that the text shows. */
  static final int FINDINGS = 50;

  private ReportText() {}

  /** The verdict first, then the counts. */
  static String of(RunReport report) {
    Run run = report.run();
    RunCounts counts = report.counts();
    StringBuilder text = new StringBuilder();
    line(
        text,
        "run %d: %s of %s/%s, %s to %s, %s"
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
    line(
        text,
        "  listed %d, found %d (%s), loaded %d, unannounced %d"
            .formatted(
                run.listed(),
                counts.found(),
                kinds(counts),
                counts.loaded(),
                counts.unannounced()));
    line(
        text,
        "  fixed %d, held back %d, left %d, failed %d, residual %d"
            .formatted(
                counts.fixed(),
                counts.heldBack(),
                counts.left(),
                counts.failed(),
                counts.residual()));
    return text.append("  ").append(VerdictText.of(report)).toString();
  }

  /** The same with sums, disagreements and what was not looked at. */
  static String of(FullReport full) {
    StringBuilder text = new StringBuilder(of(full.report())).append(System.lineSeparator());
    for (RunSum sum : full.sums()) {
      line(
          text,
          "  sum of %s%s: source %s, replica before %s, now %s"
              .formatted(
                  sum.field(),
                  sum.by().isEmpty() ? "" : " where " + sum.by() + " is " + named(sum.group()),
                  sum.theirs().toPlainString(),
                  sum.before().toPlainString(),
                  sum.after().toPlainString()));
    }
    full.findings().forEach(one -> finding(text, one));
    if (full.more()) {
      line(text, "  and more: --format csv has all of them.");
    }
    full.notCovered().forEach(sentence -> line(text, "  not looked at: " + sentence));
    return text.toString().stripTrailing();
  }

  private static void finding(StringBuilder text, Finding one) {
    line(
        text,
        "  %s: %s, %s%s%s"
            .formatted(
                visible(one.entityId()),
                one.kind() == null ? "not confirmed" : one.kind().text(),
                one.state().text().replace('_', ' '),
                one.residual() ? ", still differs" : "",
                one.earlier() ? ", of an earlier run" : ""));
    for (Difference field : one.differences()) {
      line(
          text,
          "    %s: replica %s, source %s"
              .formatted(visible(field.pointer()), visible(field.ours()), visible(field.theirs())));
    }
    if (one.loss() != null) {
      line(text, "    " + one.loss().note());
    }
    if (one.note() != null) {
      line(text, "    " + one.note());
    }
  }

  private static String named(String group) {
    return group.isEmpty() ? "(none)" : visible(group);
  }

  // What a source sends must not steer a terminal.
  private static String visible(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append(System.lineSeparator());
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
