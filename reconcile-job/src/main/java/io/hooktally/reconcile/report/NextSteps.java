package io.hooktally.reconcile.report;

import io.hooktally.store.run.Kind;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import java.util.ArrayList;
import java.util.List;

/** What a person is to do about a run; nothing where nothing is to be done. */
final class NextSteps {
  private NextSteps() {}

  static List<String> of(RunReport report) {
    List<String> steps = new ArrayList<>();
    RunCounts counts = report.counts();
    if (report.state() != RunState.DONE) {
      if (report.state() != RunState.RUNNING) {
        steps.add(
            "Remove the cause named above and run it again. A daily run is covered by the next one:"
                + " its window begins where the last completed run ended.");
      }
      return steps;
    }
    if (counts.heldBack() > 0) {
      steps.add(
          counts.heldBack()
              + " changes were held back because there are unusually many. Look at them below. If they"
              + " are right, approve them (disagreements approve --run "
              + report.id()
              + ") and the next run fixes them; if not, find out what is wrong with the source (a"
              + " wrong tenant, an empty list) first.");
    }
    if (counts.byKind().getOrDefault(Kind.AHEAD, 0L) > 0) {
      steps.add(
          "The replica is ahead of the source. If the source was restored from a backup, run again"
              + " with --trust-source; otherwise ask the source's operator.");
    }
    if (report.run().mode() == RunMode.REPORT && counts.left() > 0) {
      steps.add("This run only reports. Run again in mode fix to bring the replica up to date.");
    }
    if (counts.failed() > 0) {
      steps.add("Some fixes could not be written; the log says why. The next run tries again.");
    }
    if (counts.residual() > 0) {
      steps.add(
          "Some entities still differ after their fix: something else writes to the replica's table.");
    }
    if (counts.earlierChecked() > counts.earlierEnded()) {
      steps.add(
          "Some disagreements of earlier runs are still open. Each later run looks at them again until"
              + " they end or a person accepts them with a reason (disagreements accept).");
    }
    return steps;
  }
}
