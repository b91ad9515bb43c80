package io.hooktally.reconcile;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.store.Lease;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import io.hooktally.store.StoreException;
import io.hooktally.store.run.Fenced;
import io.hooktally.store.run.NewRun;
import io.hooktally.store.run.Run;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs reconciliations and backfills, one at a time per source and entity type on any number of
 * instances. Thread-safe.
 */
public final class Reconciler {
  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

  private final RunStore store;
  private final Fenced fenced;
  private final Leases leases;
  private final Map<String, SourceAccess> sources = new HashMap<>();
  private final ReconcileSettings settings;
  private final String instance;
  private final Pause pause;

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
    SourceAccess source = source(request);
    refuseFuture(request, source);
    String name = "run:" + request.source() + ":" + request.entityType();
    Lease lease =
        leases
            .acquire(name, instance, settings.lease())
            .orElseThrow(
                () ->
                    new LeaseHeldException(
                        request.source(),
                        request.entityType(),
                        leases.holder(name).map(Lease::holder).orElse("a run that just ended")));
    HeldLease held = new HeldLease(leases, lease, settings.lease());
    try {
      Run run = begin(request, lease);
      RunWork work = new RunWork(store, fenced, source, settings, pause, request, run, held);
      return new StartedRun(run.id(), work::complete, work::abandon);
    } catch (RuntimeException | Error e) {
      held.close();
      throw e;
    }
  }

  /**
   * Starts a run and completes it on another thread.
   *
   * @return the run's number
   */
  public long start(RunRequest request, Executor executor) {
    StartedRun run = start(request);
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
    return store.runs().hasScheduled(source, entityType, day);
  }

  /** Since when runs are scheduled; from {@code now} on where they were not yet. */
  public Instant scheduledSince(String source, String entityType, Instant now) {
    return store.watermarks().scheduledSince(source, entityType, now);
  }

  private Run begin(RunRequest request, Lease lease) {
    return fenced.write(
        lease,
        handle -> {
          LocalDate day = request.scheduledFor();
          if (day != null && hasScheduled(request.source(), request.entityType(), day)) {
            throw new RunRefusedException("the run of " + day + " has been done");
          }
          NewRun run =
              new NewRun(
                  request.source(), request.entityType(), request.reason(), request.mode(), day);
          long id = store.runs().begin(handle, lease, run);
          return store
              .runs()
              .find(handle, id)
              .orElseThrow(() -> new StoreException("run " + id + " is not there"));
        });
  }

  private SourceAccess source(RunRequest request) {
    SourceAccess source = sources.get(request.source());
    if (source == null) {
      throw new RunRefusedException(
          "no source '" + request.source() + "', only " + sources.keySet());
    }
    if (!source.config().entities().containsKey(request.entityType())) {
      throw new RunRefusedException(
          "source "
              + request.source()
              + " has no entity type '"
              + request.entityType()
              + "', only "
              + source.config().entities().keySet());
    }
    return source;
  }

  // By what is known of the source's clock; checked again once the source has answered.
  private static void refuseFuture(RunRequest request, SourceAccess source) {
    RunWork.refuseUnsettled(request.window(), source);
  }
}
