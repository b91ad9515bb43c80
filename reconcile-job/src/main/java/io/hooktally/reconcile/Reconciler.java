package io.hooktally.reconcile;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.store.Lease;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import io.hooktally.store.run.Fenced;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.Runs;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs reconciliations and backfills, one at a time per source and entity type on any number of
 * instances. Thread-safe.
 */
public final class Reconciler {
  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);
  // A scheduled run that finds the lease held looks again well within it.
  private static final Duration WAITS = Duration.ofMinutes(1);

  private final RunStore store;
  private final Fenced fenced;
  private final Leases leases;
  private final Map<String, SourceAccess> sources = new HashMap<>();
  private final ReconcileSettings settings;
  private final String instance;
  private final Pause pause;
  private final Beginnings beginnings;
  private final ActiveRuns active = new ActiveRuns();

  /**
   * Over the sources of one configuration.
   *
   * @param instance this process, for people who ask who holds a lease
   */
  public Reconciler(
      Jdbi jdbi,
      Collection<SourceAccess> sources,
      ReconcileSettings settings,
      String instance,
      Pause pause) {
    this.store = RunStore.of(jdbi);
    this.fenced = new Fenced(jdbi);
    this.leases = new Leases(jdbi);
    sources.forEach(source -> this.sources.put(source.config().name(), source));
    this.settings = settings;
    this.instance = instance;
    this.pause = pause;
    this.beginnings = new Beginnings(store, fenced);
  }

  /**
   * Does a whole run on this thread.
   *
   * @throws LeaseHeldException when another run of the same is at work
   * @throws RunRefusedException when the run makes no sense as asked for
   */
  public RunReport run(RunRequest request) {
    return start(request).complete();
  }

  /**
   * Takes the lease and the run's number; what remains is {@link StartedRun#complete}.
   *
   * @throws LeaseHeldException when another run of the same is at work
   * @throws RunRefusedException when the run makes no sense as asked for
   */
  public StartedRun start(RunRequest request) {
    SourceAccess source = source(request.source(), request.entityType());
    // By what is known of the source's clock; checked again once the source has answered.
    WindowChoice.refuseUnsettled(request.window(), source);
    // A backfill lets it go first, between two slices.
    boolean waits = request.scheduledFor() != null;
    return begin(source, request.entityType(), waits, lease -> beginnings.begin(request, lease));
  }

  /**
   * Takes up a run that did not complete, under its number; nothing newer may have been begun.
   *
   * @throws LeaseHeldException when another run of the same is at work
   * @throws RunRefusedException when there is no such run, or it cannot be taken up
   */
  public StartedRun resume(long id) {
    Run run =
        store.runs().find(id).orElseThrow(() -> new RunRefusedException("there is no run " + id));
    SourceAccess source = source(run.source(), run.entityType());
    return begin(source, run.entityType(), false, lease -> beginnings.resume(run, lease));
  }

  private StartedRun begin(
      SourceAccess source,
      String entityType,
      boolean waits,
      Function<Lease, Beginnings.Begun> beginning) {
    String name = leaseName(source.config().name(), entityType);
    Lease lease =
        leases
            .acquire(name, instance, settings.lease())
            .orElseThrow(
                () -> {
                  if (waits) {
                    leases.want(name, WAITS);
                  }
                  return new LeaseHeldException(
                      source.config().name(),
                      entityType,
                      leases.holder(name).map(Lease::holder).orElse("a run that just ended"));
                });
    HeldLease held = new HeldLease(leases, lease, settings.lease());
    try {
      Beginnings.Begun begun = beginning.apply(lease);
      RunWork work =
          new RunWork(
              store, fenced, leases, source, settings, pause, begun.request(), begun.run(), held);
      active.add(begun.run().id(), held);
      return new StartedRun(
          begun.run().id(),
          () -> active.whileThere(begun.run().id(), work::complete),
          why ->
              active.whileThere(
                  begun.run().id(),
                  () -> {
                    work.abandon(why);
                    return why;
                  }));
    } catch (RuntimeException | Error e) {
      held.close();
      throw e;
    }
  }

  /**
   * Ends a run, of this process at once, of another one within seconds. A run whose process died is
   * recorded as cancelled.
   *
   * @param who asks, for the record
   * @throws RunRefusedException when there is no such run, or it has ended
   */
  public void cancel(long id, String who) {
    Run run =
        store.runs().find(id).orElseThrow(() -> new RunRefusedException("there is no run " + id));
    if (!store.control().askToCancel(id, who)) {
      throw new RunRefusedException("run " + id + " has ended (" + run.state().text() + ")");
    }
    active.stop(id, RunStop.CANCELLED);
    leases
        .acquire(leaseName(run.source(), run.entityType()), instance, settings.lease())
        .ifPresent(
            lease -> {
              try {
                fenced.write(lease, handle -> beginnings.buryCancelled(handle, run, who));
              } finally {
                leases.release(lease);
              }
            });
  }

  /** Ends all runs of this process at once, and takes no more; waits until they are recorded. */
  public void stop() throws InterruptedException {
    active.stopAll();
  }

  /**
   * Starts a run and completes it on another thread.
   *
   * @return the run's number
   */
  public long start(RunRequest request, Executor executor) {
    return complete(start(request), executor);
  }

  /**
   * Takes up a run and completes it on another thread.
   *
   * @return the run's number
   */
  public long resume(long id, Executor executor) {
    return complete(resume(id), executor);
  }

  private static long complete(StartedRun run, Executor executor) {
    try {
      executor.execute(() -> completeQuietly(run));
    } catch (RejectedExecutionException e) {
      run.abandon("this instance takes no more work");
      throw e;
    }
    return run.id();
  }

  // What a run of ours throws is on record, or, where its lease was lost, in the log.
  private static void completeQuietly(StartedRun run) {
    try {
      run.complete();
    } catch (LeaseLostException e) {
      log.info("run {} was taken over", run.id());
    }
  }

  /** What is known of a run, also while it is at work. */
  public Optional<RunReport> report(long id) {
    return store.runs().find(id).map(run -> new RunReport(run, store.disagreements().counts(id)));
  }

  /** Whether the scheduled run of that day has ended, well or not. */
  public boolean hasScheduled(String source, String entityType, LocalDate day) {
    return store.runs().hasEnded(source, entityType, RunReason.SCHEDULED, day, day, false);
  }

  /**
   * Whether no sweep of that day's month has completed, and none of that day has ended: one that
   * failed is tried again the next day.
   */
  public boolean needsSweep(String source, String entityType, LocalDate day) {
    Runs runs = store.runs();
    LocalDate first = day.withDayOfMonth(1);
    return !runs.hasEnded(source, entityType, RunReason.SWEEP, first, day, true)
        && !runs.hasEnded(source, entityType, RunReason.SWEEP, day, day, false);
  }

  /** Since when runs are scheduled; from {@code now} on where they were not yet. */
  public Instant scheduledSince(String source, String entityType, Instant now) {
    return store.watermarks().scheduledSince(source, entityType, now);
  }

  private static String leaseName(String source, String entityType) {
    return "run:" + source + ":" + entityType;
  }

  private SourceAccess source(String name, String entityType) {
    SourceAccess source = sources.get(name);
    if (source == null) {
      throw new RunRefusedException("no source '" + name + "', only " + sources.keySet());
    }
    if (!source.config().entities().containsKey(entityType)) {
      throw new RunRefusedException(
          "source "
              + name
              + " has no entity type '"
              + entityType
              + "', only "
              + source.config().entities().keySet());
    }
    return source;
  }
}
