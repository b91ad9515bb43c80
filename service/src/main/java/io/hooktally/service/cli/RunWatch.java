package io.hooktally.service.cli;

import io.hooktally.reconcile.Pause;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.Runs;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far a run is: on a terminal as a bar, elsewhere as a line now and then. It reads the
 * record of the run, so it does not matter which process does it.
 */
final class RunWatch {
  private static final Duration BAR = Duration.ofMillis(500);
  private static final Duration LINE = Duration.ofSeconds(15);
  private static final int WHOLE = 1000;

  private final Runs runs;
  private final InstantSource clock;
  private final PrintStream out;
  private final boolean terminal;

  RunWatch(Runs runs, InstantSource clock, PrintStream out) {
    this(runs, clock, out, isTerminal(System.console()));
  }

  RunWatch(Runs runs, InstantSource clock, PrintStream out, boolean terminal) {
    this.runs = runs;
    this.clock = clock;
    this.out = out;
    this.terminal = terminal;
  }

  // From Java 22 on there is a console without a terminal too, and a method that tells.
  private static boolean isTerminal(@Nullable Console console) {
    try {
      return console != null && (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** Shows it until it has ended, or the thread is interrupted. */
  void untilEnded(long id, Pause pause) throws InterruptedException {
    try (ProgressBar bar = terminal ? bar(id) : null) {
      while (true) {
        Optional<Run> run = runs.find(id);
        if (run.isEmpty() || run.get().state() != RunState.RUNNING) {
          return;
        }
        show(run.get(), bar);
        pause.pause(terminal ? BAR : LINE);
      }
    }
  }

  private void show(Run run, @Nullable ProgressBar bar) {
    if (bar == null) {
      out.println("run " + run.id() + ": " + text(run, clock.instant()));
      return;
    }
    bar.stepTo(Math.round(run.listedShare().orElse(0) * WHOLE));
    bar.setExtraMessage(text(run, clock.instant()));
  }

  private ProgressBar bar(long id) {
    return new ProgressBarBuilder()
        .setTaskName("run " + id)
        .setInitialMax(WHOLE)
        .setStyle(ProgressBarStyle.ASCII)
        .continuousUpdate()
        .hideEta()
        .build();
  }

  /** Phase, pages, rows, rate, and the time left while it lists. */
  static String text(Run run, Instant now) {
    var phase = run.progress().phase();
    Duration elapsed = Duration.between(run.startedAt(), now);
    double seconds = Math.max(1, elapsed.toMillis() / 1000.0);
    StringBuilder text =
        new StringBuilder(phase == null ? "begins" : phase.text().replace('_', ' '));
    text.append(
        String.format(
            Locale.ROOT,
            ", %d pages, %d rows, %.0f rows/s",
            run.progress().pages(),
            run.listed(),
            run.listed() / seconds));
    run.listedShare()
        .ifPresent(
            share -> {
              if (share > 0.01 && share < 1) {
                long left = Math.round(seconds * (1 - share) / share);
                text.append(", about ").append(Duration.ofSeconds(left)).append(" left");
              }
            });
    return text.toString();
  }
}
