package io.hooktally.service.health;

import com.codahale.metrics.health.HealthCheck;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.job.DailyTime;
import io.hooktally.reconcile.job.ScheduledTarget;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.Runs;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the daily runs take place, and the last run of each entity type did not fail. */
public final class LastRunCheck extends HealthCheck {
  /** With the day between two turns: red once no run has ended for 26 hours. */
  private static final Duration GRACE = Duration.ofHours(2);

  private static final int LOOK_BACK = 1000;

  private final Runs runs;
  private final OpenDisagreements open;
  private final Reconciler reconciler;
  private final List<ScheduledTarget> targets;
  private final DailyTime time;
  private final InstantSource clock;

  /** Of what is run daily at that time. */
  public LastRunCheck(
      Runs runs,
      OpenDisagreements open,
      Reconciler reconciler,
      List<ScheduledTarget> targets,
      DailyTime time,
      InstantSource clock) {
    this.runs = runs;
    this.open = open;
    this.reconciler = reconciler;
    this.targets = targets;
    this.time = time;
    this.clock = clock;
  }

  @Override
  protected Result check() {
    try {
      return look();
    } catch (RuntimeException e) {
      return Result.unhealthy("not known: the database does not answer");
    }
  }

  private Result look() {
    List<Run> recent = runs.list(Long.MAX_VALUE, LOOK_BACK);
    Instant now = clock.instant();
    List<String> wrong = new ArrayList<>();
    for (ScheduledTarget target : targets) {
      failure(recent, target).ifPresent(wrong::add);
      if (isOverdue(target, now)) {
        wrong.add("the daily run of " + target + " has not ended");
      }
    }
    return wrong.isEmpty()
        ? Result.healthy(stillOpen())
        : Result.unhealthy(String.join("; ", wrong));
  }

  // Alerts tell of a disagreement once; here it stays in sight.
  private String stillOpen() {
    long count =
        targets.stream().mapToLong(target -> open.open(target.source(), target.entityType())).sum();
    return count == 0 ? "no disagreement is open" : count + " disagreements are open";
  }

  private static Optional<String> failure(List<Run> recent, ScheduledTarget target) {
    return recent.stream()
        .filter(run -> run.source().equals(target.source()))
        .filter(run -> run.entityType().equals(target.entityType()))
        .filter(run -> run.state() != RunState.RUNNING)
        .findFirst()
        .filter(run -> run.state() == RunState.FAILED)
        .map(run -> "run " + run.id() + " of " + target + " failed: " + run.error());
  }

  private boolean isOverdue(ScheduledTarget target, Instant now) {
    DailyTime.Turn turn = time.last(now);
    return turn.moment().plus(GRACE).isBefore(now)
        && reconciler
            .scheduledSince(target.source(), target.entityType(), now)
            .isBefore(turn.moment())
        && !reconciler.hasScheduled(target.source(), target.entityType(), turn.day());
  }
}
