package io.hooktally.reconcile;

import io.hooktally.reconcile.compare.NotCovered;
import io.hooktally.reconcile.report.AlertText;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunNews;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes how a run ended, and who is told of it, in one transaction. */
final class RunEnd {
  private static final Logger log = LoggerFactory.getLogger(RunEnd.class);

  private final RunStore store;
  private final Run run;
  private final RunContext.Writer writer;

  RunEnd(RunStore store, Run run, RunContext.Writer writer) {
    this.store = store;
    this.run = run;
    this.writer = writer;
  }

  /** It completed: its report holds. */
  void done(RunContext context) {
    List<String> ignored = context.type().compare().ignore();
    writer.write(
        handle -> {
          store.sums().total(handle, run.id());
          store.coverage().leftOut(handle, run.id(), NotCovered.of(context));
          RunNews news = store.open().close(handle, run);
          store.runs().covers(handle, run.id(), covered(context), ignored);
          store.runs().complete(handle, run);
          moveWatermark(handle, context.window().to());
          RunCounts counts = store.disagreements().counts(handle, run.id());
          if (!counts.addUp()) {
            throw new ReconcileException(
                "the counts of run " + run.id() + " do not add up: " + counts);
          }
          Run ended = store.runs().find(handle, run.id()).orElse(run);
          AlertText.done(ended, counts, news).forEach(told -> alert(handle, told));
          return true;
        });
  }

  /** What it vouches for, with the slices done before it was taken up again. */
  Set<String> covered(RunContext context) {
    Set<String> covered = new TreeSet<>(run.covered());
    covered.addAll(context.fields().covered(context.type().compare()));
    return covered;
  }

  /** It failed by an error of the source or of ours. */
  void failed(String error) {
    log.warn("run {} failed: {}", run.id(), error);
    writer.write(
        handle -> {
          store.runs().end(handle, run.id(), RunState.FAILED, error, false);
          alert(handle, AlertText.failed(run, error));
          return true;
        });
  }

  /** A person or the end of the process ended it. */
  void stopped(RunStop why) {
    boolean byPerson = why == RunStop.CANCELLED;
    String error =
        byPerson
            ? "cancelled by " + store.control().cancelAskedBy(run.id()).orElse("a person")
            : "the service stopped";
    log.info("run {} ends: {}", run.id(), error);
    writer.write(
        handle -> {
          RunState state = byPerson ? RunState.CANCELLED : RunState.FAILED;
          store.runs().end(handle, run.id(), state, error, !byPerson);
          // What the schedule began it takes up again; who cancelled a run knows.
          if (!byPerson && run.scheduledFor() == null) {
            alert(handle, AlertText.failed(run, error));
          }
          return true;
        });
  }

  private void moveWatermark(Handle handle, Instant to) {
    boolean scheduled = run.reason() == RunReason.SCHEDULED;
    if (run.mode() == RunMode.FIX && (scheduled || run.reason() == RunReason.BACKFILL)) {
      store.watermarks().move(handle, run, to, !scheduled);
    }
  }

  private void alert(Handle handle, AlertText.Told told) {
    log.warn("{}", told.text());
    store.alerts().add(handle, told.kind(), run.source(), run.entityType(), run.id(), told.text());
  }
}
