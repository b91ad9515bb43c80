package io.hooktally.reconcile.job;

import io.hooktally.reconcile.LeaseHeldException;
import io.hooktally.reconcile.Pause;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.RunRefusedException;
import io.hooktally.reconcile.RunRequest;
import io.hooktally.store.run.RunMode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges what is due and runs it: for each target, the turn of the last day whose time has come,
 * unless its run has been done, or the turn was before anything was scheduled. However often and by
 * however many instances it is asked, a day has one run; days missed while nothing ran have one
 * together. Thread-safe.
 */
public final class DailyRuns {
  private static final Logger log = LoggerFactory.getLogger(DailyRuns.class);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(30);

  private final Reconciler reconciler;
  private final List<ScheduledTarget> targets;
  private final DailyTime time;
  private final RunMode mode;
  private final InstantSource clock;
  private final Pause pause;

  /** Of these targets, every day at that time. */
  public DailyRuns(
      Reconciler reconciler,
      List<ScheduledTarget> targets,
      DailyTime time,
      RunMode mode,
      InstantSource clock,
      Pause pause) {
    this.reconciler = reconciler;
    this.targets = List.copyOf(targets);
    this.time = time;
    this.mode = mode;
    this.clock = clock;
    this.pause = pause;
  }

  /** When the runs are. */
  public DailyTime time() {
    return time;
  }

  /** Notes from when on runs are scheduled, where it is not known yet. */
  public void begin() {
    for (ScheduledTarget target : targets) {
      reconciler.scheduledSince(target.source(), target.entityType(), clock.instant());
    }
  }

  /** Runs what is due; what one target throws does not keep the others from their runs. */
  public void runDue() throws InterruptedException {
    for (ScheduledTarget target : targets) {
      try {
        runDue(target);
      } catch (RuntimeException | Error e) {
        log.error(
            "the scheduled run of {} ended with an error; the next one takes place", target, e);
      }
    }
  }

  private void runDue(ScheduledTarget target) throws InterruptedException {
    Duration waited = Duration.ZERO;
    while (true) {
      DailyTime.Turn turn = time.last(clock.instant());
      if (!isDue(target, turn)) {
        return;
      }
      try {
        reconciler.run(
            RunRequest.scheduled(target.source(), target.entityType(), mode, turn.day()));
        return;
      } catch (RunRefusedException e) {
        log.info("the scheduled run of {} does not take place: {}", target, e.getMessage());
        return;
      } catch (LeaseHeldException e) {
        if (waited.compareTo(LONGEST_WAIT) >= 0) {
          // The next look goes on waiting.
          log.warn("the scheduled run of {} waits: {}", target, e.getMessage());
          return;
        }
        pause.pause(LOOK_AGAIN);
        waited = waited.plus(LOOK_AGAIN);
      }
    }
  }

  private boolean isDue(ScheduledTarget target, DailyTime.Turn turn) {
    return !reconciler
            .scheduledSince(target.source(), target.entityType(), clock.instant())
            .isAfter(turn.moment())
        && !reconciler.hasScheduled(target.source(), target.entityType(), turn.day());
  }
}
