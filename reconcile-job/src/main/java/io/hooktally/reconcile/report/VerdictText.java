package io.hooktally.reconcile.report;

import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import java.util.ArrayList;
import java.util.List;

/** The one sentence that says how a run came out, and whether a person has to do something. */
public final class VerdictText {
  /** How a run came out. */
  public enum Tone {
    /** They agree; nothing is to be done. */
    GOOD,
    /** They disagreed and now agree; nothing is to be done, but somebody wants to know. */
    MENDED,
    /** Something waits for a person. */
    BAD,
    /** Nothing is known. */
    UNKNOWN
  }

  private VerdictText() {}

  /** The verdict in one sentence. */
  public static String of(RunReport report) {
    Run run = report.run();
    RunCounts counts = report.counts();
    if (run.state() == RunState.RUNNING) {
      return "The run is still at work; nothing here is final.";
    }
    if (run.state() != RunState.DONE) {
      return "The run ended without a result ("
          + run.state().text()
          + "), nothing is known of its window: "
          + (run.error() == null ? "no reason is recorded" : run.error());
    }
    if (report.agrees() && counts.residual() == 0) {
      if (counts.loaded() > 0 && run.mode() == RunMode.REPORT) {
        return number(counts.loaded(), "entity", "entities")
            + " of "
            + run.listed()
            + " listed would be loaded: the replica has none of them yet. Nothing was written.";
      }
      return counts.loaded() > 0
          ? number(counts.loaded(), "entity was", "entities were")
              + " loaded; source and replica agree on all "
              + run.listed()
              + " listed."
          : "Source and replica agree: of "
              + number(run.listed(), "listed entity", "listed entities")
              + " none differs.";
    }
    String differed =
        counts.found() == 0
            ? "Of " + run.listed() + " listed entities none differs"
            : number(counts.found(), "entity", "entities")
                + (run.mode() == RunMode.REPORT ? " of " : " differed, of ")
                + run.listed()
                + " listed"
                + (run.mode() == RunMode.REPORT ? " differ" : "");
    return differed + rest(report);
  }

  private static String rest(RunReport report) {
    RunCounts counts = report.counts();
    if (tone(report) == Tone.MENDED) {
      return "; all were fixed, and the replica now agrees with the source.";
    }
    List<String> parts = new ArrayList<>();
    part(parts, counts.fixed(), "fixed");
    part(parts, counts.heldBack(), "held back for a person");
    part(
        parts,
        counts.left(),
        report.run().mode() == RunMode.REPORT
            ? "left, since the run only reports"
            : "left as they are");
    part(parts, counts.failed(), "could not be fixed");
    part(parts, counts.residual(), "still different after the fix");
    part(parts, open(counts), "of earlier runs still open");
    return ": " + String.join(", ", parts) + ". The replica does not agree with the source yet.";
  }

  /** Whether a person has to do something. */
  public static Tone tone(RunReport report) {
    RunCounts counts = report.counts();
    if (report.run().state() != RunState.DONE) {
      return Tone.UNKNOWN;
    }
    if (counts.residual() > 0 || open(counts) > 0 || counts.found() > counts.fixed()) {
      return Tone.BAD;
    }
    return counts.found() > 0 ? Tone.MENDED : Tone.GOOD;
  }

  private static long open(RunCounts counts) {
    return counts.earlierChecked() - counts.earlierEnded();
  }

  private static void part(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }

  private static String number(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
