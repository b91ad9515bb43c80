package io.hooktally.reconcile.report;

import io.hooktally.store.run.PastRun;
import io.hooktally.store.run.RunState;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The last runs as bars, in the units of the page's drawing: the baseline lies at 120, the highest
 * bar reaches up to 20.
 *
 * @param most the most disagreements of one run
 * @param summary the same in words
 * @param first when the first began
 * @param last when the last began
 */
public record Picture(List<Bar> bars, long most, String summary, String first, String last) {
  private static final int BASE = 120;
  private static final int HIGHEST = 100;
  private static final int LEAST = 4;
  private static final int STEP = 20;
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  /**
   * One run.
   *
   * @param broken it ended without a result, or has not ended
   * @param none it found nothing
   */
  public record Bar(
      int x,
      boolean broken,
      boolean none,
      boolean current,
      int fixedY,
      int fixedHeight,
      int openY,
      int openHeight,
      String title) {}

  /** Of runs, the oldest first; the last one is the current one. */
  static Picture of(List<PastRun> runs) {
    long most = runs.stream().mapToLong(PastRun::found).max().orElse(0);
    List<Bar> bars = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      bars.add(bar(runs.get(i), 24 + i * STEP, most, i == runs.size() - 1));
    }
    return new Picture(
        bars,
        most,
        summary(runs),
        runs.isEmpty() ? "" : day(runs.get(0).startedAt()),
        runs.size() < 2 ? "" : day(runs.get(runs.size() - 1).startedAt()));
  }

  private static Bar bar(PastRun run, int x, long most, boolean current) {
    int fixed = height(run.fixed(), most);
    int open = height(run.found() - run.fixed(), most);
    return new Bar(
        x,
        run.state() != RunState.DONE,
        run.found() == 0,
        current,
        BASE - fixed,
        fixed,
        BASE - fixed - open,
        open,
        "run "
            + run.id()
            + ", "
            + day(run.startedAt())
            + ", "
            + run.state().text()
            + ": "
            + run.found()
            + " found, "
            + run.fixed()
            + " fixed");
  }

  private static int height(long count, long most) {
    return count == 0 ? 0 : (int) Math.max(LEAST, Math.round((double) count * HIGHEST / most));
  }

  private static String summary(List<PastRun> runs) {
    long broken = runs.stream().filter(run -> run.state() != RunState.DONE).count();
    long agreed =
        runs.stream().filter(run -> run.state() == RunState.DONE && run.found() == 0).count();
    long mended =
        runs.stream()
            .filter(run -> run.state() == RunState.DONE)
            .filter(run -> run.found() > 0 && run.found() == run.fixed())
            .count();
    return "Of the last "
        + runs.size()
        + " runs "
        + agreed
        + " found no disagreement, "
        + mended
        + " fixed all they found, "
        + (runs.size() - broken - agreed - mended)
        + " left something open, "
        + broken
        + " have no result.";
  }

  private static String day(Instant at) {
    return DAY.format(at);
  }
}
