package io.hooktally.service;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.Managed;
import io.hooktally.reconcile.Pause;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.job.DailyRuns;
import io.hooktally.reconcile.job.DailyTime;
import io.hooktally.reconcile.job.ReconcileSchedule;
import io.hooktally.reconcile.job.ScheduledTarget;
import io.hooktally.service.health.LastRunCheck;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.Runs;
import java.time.InstantSource;
import java.util.List;

/** The daily runs of every entity type of every source, while the service runs. */
record DailySchedule(ReconcileSchedule schedule) implements Managed {
  /** Registers them and the check that they take place. */
  static void register(
      HooktallyConfiguration configuration,
      Environment environment,
      Storage storage,
      Reconciler reconciler,
      InstantSource clock,
      String instance) {
    ReconcileConfig config = configuration.reconcile();
    DailyTime time = new DailyTime(config.at(), config.zone());
    List<ScheduledTarget> targets =
        configuration.sources().values().stream()
            .flatMap(
                source ->
                    source.entities().keySet().stream()
                        .map(type -> new ScheduledTarget(source.name(), type)))
            .toList();
    DailyRuns runs =
        new DailyRuns(
            reconciler, targets, time, config.mode(), config.sweep(), clock, Pause.sleeping());
    environment
        .lifecycle()
        .manage(
            new DailySchedule(
                new ReconcileSchedule(storage.database().dataSource(), runs, instance)));
    environment
        .healthChecks()
        .register(
            "last-run",
            new LastRunCheck(
                new Runs(storage.work()),
                new OpenDisagreements(storage.work()),
                reconciler,
                targets,
                time,
                clock));
  }

  @Override
  public void start() {
    schedule.start();
  }

  @Override
  public void stop() {
    schedule.stop();
  }
}
