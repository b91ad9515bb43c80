package io.hooktally.reconcile.report;

import io.hooktally.reconcile.Window;
import io.hooktally.store.alert.AlertKind;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunNews;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What people are told of a run: nothing when nothing is wrong. */
public final class AlertText {
  /** An alert's kind and its text. */
  public record Told(AlertKind kind, String text) {}

  private AlertText() {}

  /**
   * Of a completed run: one where something new is wrong, and one where the last disagreement that
   * was open has ended; none where nothing has changed.
   */
  public static List<Told> done(Run run, RunCounts counts, RunNews news) {
    List<Told> told = new ArrayList<>();
    if (news.isWrong()) {
      told.add(wrong(run, counts, news));
    }
    if (news.isSolved()) {
      told.add(
          new Told(
              AlertKind.SOLVED,
              head(run) + "solved: the disagreements that were open have ended, none is left."));
    }
    return told;
  }

  private static Told wrong(Run run, RunCounts counts, RunNews news) {
    StringBuilder text = new StringBuilder(head(run));
    text.append(
        String.format(
            Locale.ROOT,
            "%d %sdisagreements between source and replica%s",
            news.found(),
            news.found() == counts.found() ? "" : "new ",
            news.found() == 0 || news.found() != counts.found() ? "" : " (" + kinds(counts) + ")"));
    Instant from = run.from();
    if (from != null && run.to() != null) {
      boolean all = from.equals(Window.BEGINNING);
      text.append(all ? " up to " : " in " + from + " to ").append(run.to());
    }
    long fixed = news.found() - news.heldBack() - news.left() - news.failed();
    text.append(": ").append(fixed).append(" fixed");
    part(text, news.heldBack(), "held back for a person");
    part(text, news.left(), "left as they are");
    part(text, news.failed(), "could not be fixed");
    part(text, news.residual(), "still differ after their fix");
    part(text, news.open(), "open in all");
    AlertKind kind = news.heldBack() > 0 ? AlertKind.HELD_BACK : AlertKind.DISAGREEMENTS;
    return new Told(kind, text.append('.').toString());
  }

  /** Of a failed run. */
  public static Told failed(Run run, String error) {
    return new Told(
        AlertKind.FAILED,
        head(run)
            + "failed, nothing is known of its window: "
            + error
            + ". Run it again; a daily run is covered by the next one.");
  }

  private static String head(Run run) {
    return "Hooktally, "
        + run.source()
        + "/"
        + run.entityType()
        + ", "
        + run.reason().text()
        + " run "
        + run.id()
        + ": ";
  }

  private static void part(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append(", ").append(count).append(' ').append(what);
    }
  }

  private static String kinds(RunCounts counts) {
    return Arrays.stream(Kind.values())
        .filter(kind -> counts.byKind().getOrDefault(kind, 0L) > 0)
        .map(kind -> counts.byKind().get(kind) + " " + kind.text())
        .collect(Collectors.joining(", "));
  }
}
