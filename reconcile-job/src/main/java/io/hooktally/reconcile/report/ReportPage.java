package io.hooktally.reconcile.report;

import io.hooktally.store.run.Difference;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.RunSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the HTML page says, in the order in which it says it; all of it is text that the template
 * escapes.
 *
 * @param tone names the colour of the verdict
 * @param todo what a person is to do; none: nothing
 * @param noFindings stands where there are no disagreements
 */
public record ReportPage(
    String title,
    String tone,
    String verdict,
    List<String> todo,
    List<SumRow> sums,
    String sumNote,
    List<Fact> counts,
    List<FindingRow> findings,
    boolean more,
    String noFindings,
    String covered,
    List<String> notCovered,
    Picture picture,
    List<Fact> facts) {
  /** A name and a value. */
  public record Fact(String label, String value) {}

  /** One sum on both sides. */
  public record SumRow(String label, String theirs, String before, String after, String apart) {}

  /** One disagreement. */
  public record FindingRow(
      String id,
      String tone,
      String what,
      String times,
      String lost,
      String done,
      List<Difference> fields) {}

  /** The page of a report. */
  static ReportPage of(FullReport full) {
    RunReport report = full.report();
    RunCounts counts = report.counts();
    return new ReportPage(
        "Hooktally: "
            + report.run().source()
            + " / "
            + report.run().entityType()
            + ", "
            + report.run().reason().text()
            + " run "
            + report.id(),
        VerdictText.tone(report).name().toLowerCase(Locale.ROOT),
        full.verdict(),
        NextSteps.of(report),
        full.sums().stream().map(ReportPage::row).toList(),
        sumNote(counts),
        counts(report),
        full.findings().stream().map(FindingText::row).toList(),
        full.more(),
        report.run().state() == RunState.DONE
            ? "There are none."
            : "None were confirmed before the run ended; that proves nothing.",
        covered(full),
        full.notCovered(),
        Picture.of(full.history()),
        RunFacts.of(report.run()));
  }

  private static SumRow row(RunSum sum) {
    String label =
        sum.by().isEmpty()
            ? sum.field()
            : sum.field()
                + ", "
                + sum.by()
                + " "
                + (sum.group().isEmpty() ? "(none)" : sum.group());
    return new SumRow(
        label,
        sum.theirs().toPlainString(),
        sum.before().toPlainString(),
        sum.after().toPlainString(),
        sum.agrees() ? "0" : sum.theirs().subtract(sum.after()).toPlainString());
  }

  private static String sumNote(RunCounts counts) {
    String note = "Over the entities listed in the window and the extra ones.";
    return counts.movedOn() == 0
        ? note
        : note
            + " Left out on both sides: "
            + counts.movedOn()
            + " that changed while the run looked at them.";
  }

  private static List<Fact> counts(RunReport report) {
    RunCounts counts = report.counts();
    List<Fact> facts = new ArrayList<>();
    facts.add(fact("listed in the window", report.run().listed()));
    facts.add(
        new Fact(
            "disagreements found",
            counts.found() == 0 ? "0" : counts.found() + ": " + RunFacts.kinds(counts)));
    facts.add(fact("fixed", counts.fixed()));
    some(facts, "held back for a person", counts.heldBack());
    some(facts, "left as they are", counts.left());
    some(facts, "could not be fixed", counts.failed());
    some(facts, "still different after their fix", counts.residual());
    some(facts, "loaded (never announced by events)", counts.loaded());
    some(facts, "unannounced (may change without an event)", counts.unannounced());
    some(facts, "suspected and not upheld", counts.dissolved());
    some(facts, "changed again meanwhile, left to events", counts.movedOn());
    some(facts, "of earlier runs, looked at again", counts.earlierChecked());
    some(facts, "of those, now ended", counts.earlierEnded());
    some(facts, "suspected, not decided", counts.undecided());
    return facts;
  }

  private static Fact fact(String label, long count) {
    return new Fact(label, String.valueOf(count));
  }

  private static void some(List<Fact> facts, String label, long count) {
    if (count > 0) {
      facts.add(fact(label, count));
    }
  }

  private static String covered(FullReport full) {
    List<String> fields = full.report().run().covered();
    return fields.isEmpty()
        ? "Nothing was listed, so no field was compared."
        : "Field by field, by value: " + String.join(", ", fields) + ".";
  }
}
