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
import java.util.Optional;
import java.util.function.BiFunction;
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
  private final SweepPlan sweep;

  /** Of these targets, every day at that time; no sweeps. */
  public DailyRuns(
      Reconciler reconciler,
      List<ScheduledTarget> targets,
      DailyTime time,
      RunMode mode,
      InstantSource clock,
      Pause pause) {
    this(reconciler, targets, time, mode, SweepPlan.OFF, clock, pause);
  }

  /** Of these targets, every day at that time, and sweeps by that plan after the daily run. */
  public DailyRuns(
      Reconciler reconciler,
      List<ScheduledTarget> targets,
      DailyTime time,
      RunMode mode,
      SweepPlan sweep,
      InstantSource clock,
      Pause pause) {
    this.sweep = sweep;
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
    run(target, this::daily);
    run(target, this::sweep);
  }

  // What is due is asked again after each wait: the turn may have become the next day's.
  private void run(
      ScheduledTarget target, BiFunction<ScheduledTarget, DailyTime.Turn, Optional<RunRequest>> due)
      throws InterruptedException {
    Duration waited = Duration.ZERO;
    while (true) {
      Optional<RunRequest> request = due.apply(target, time.last(clock.instant()));
      if (request.isEmpty()) {
        return;
      }
      try {
        reconciler.run(request.get());
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

  private Optional<RunRequest> daily(ScheduledTarget target, DailyTime.Turn turn) {
    boolean due =
        isScheduledSince(target, turn)
            && !reconciler.hasScheduled(target.source(), target.entityType(), turn.day());
    return due
        ? Optional.of(RunRequest.scheduled(target.source(), target.entityType(), mode, turn.day()))
        : Optional.empty();
  }

  // A month in which nothing was scheduled from its first turn on has no sweep.
  private Optional<RunRequest> sweep(ScheduledTarget target, DailyTime.Turn turn) {
    boolean due =
        sweep == SweepPlan.MONTHLY
            && isScheduledSince(target, time.of(turn.day().withDayOfMonth(1)))
            && reconciler.needsSweep(target.source(), target.entityType(), turn.day());
    return due
        ? Optional.of(RunRequest.sweep(target.source(), target.entityType(), mode, turn.day()))
        : Optional.empty();
  }

  private boolean isScheduledSince(ScheduledTarget target, DailyTime.Turn turn) {
    return !reconciler
        .scheduledSince(target.source(), target.entityType(), clock.instant())
        .isAfter(turn.moment());
  }
}
