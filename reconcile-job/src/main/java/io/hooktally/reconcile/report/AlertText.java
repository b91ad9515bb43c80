package io.hooktally.reconcile.report;

import io.hooktally.store.alert.AlertKind;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What people are told of a run: nothing when nothing is wrong. */
public final class AlertText {
  /** An alert's kind and its text. */
  public record Told(AlertKind kind, String text) {}

  private AlertText() {}

  /** Of a completed run. */
  public static Optional<Told> done(Run run, RunCounts counts) {
    long open = counts.earlierChecked() - counts.earlierEnded();
    if (counts.found() == 0 && open == 0 && counts.residual() == 0) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder(head(run));
    text.append(
        String.format(
            Locale.ROOT,
            "%d disagreements between source and replica%s",
            counts.found(),
            counts.found() == 0 ? "" : " (" + kinds(counts) + ")"));
    if (run.from() != null && run.to() != null) {
      text.append(" in ").append(run.from()).append(" to ").append(run.to());
    }
    text.append(": ").append(counts.fixed()).append(" fixed");
    part(text, counts.heldBack(), "held back for a person");
    part(text, counts.left(), "left as they are");
    part(text, counts.failed(), "could not be fixed");
    part(text, counts.residual(), "still differ after their fix");
    part(text, open, "of earlier runs still open");
    AlertKind kind = counts.heldBack() > 0 ? AlertKind.HELD_BACK : AlertKind.DISAGREEMENTS;
    return Optional.of(new Told(kind, text.append('.').toString()));
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
