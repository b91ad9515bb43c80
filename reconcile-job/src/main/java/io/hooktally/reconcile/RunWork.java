package io.hooktally.reconcile;

import io.hooktally.reconcile.compare.BodyComparison;
import io.hooktally.reconcile.compare.CoveredFields;
import io.hooktally.reconcile.compare.SumTotals;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.EntityConfig;
import io.hooktally.reconcile.source.Feed;
import io.hooktally.reconcile.source.Priority;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import io.hooktally.store.StoreException;
import io.hooktally.store.run.Fenced;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunPhase;
import io.hooktally.store.run.RunProgress;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunSlices;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run from its first request to its alert. */
final class RunWork {
  private static final Logger log = LoggerFactory.getLogger(RunWork.class);

  private final RunStore store;
  private final Fenced fenced;
  private final Leases leases;
  private final SourceAccess source;
  private final ReconcileSettings settings;
  private final Pause pause;
  private final RunRequest request;
  private final Run run;
  private final HeldLease lease;
  private final RunEnd end;
  private final Progress progress;

  RunWork(
      RunStore store,
      Fenced fenced,
      Leases leases,
      SourceAccess source,
      ReconcileSettings settings,
      Pause pause,
      RunRequest request,
      Run run,
      HeldLease lease) {
    this.store = store;
    this.fenced = fenced;
    this.leases = leases;
    boolean loading = run.reason() == RunReason.BACKFILL;
    SourceClient client = source.client().as(loading ? Priority.BACKFILL : Priority.RECONCILE);
    this.source = new SourceAccess(source.config(), client);
    this.progress = new Progress(run.progress(), client::usage);
    this.settings = settings;
    this.pause = pause;
    this.request = request;
    this.run = run;
    this.lease = lease;
    this.end = new RunEnd(store, run, this::write);
  }

  RunReport complete() {
    try (lease) {
      lease.watch(() -> store.control().cancelAskedBy(run.id()).isPresent());
      try {
        work();
      } catch (LeaseLostException e) {
        log.warn("run {} stops: {}", run.id(), e.getMessage());
        throw e;
      } catch (InterruptedException | RuntimeException e) {
        ended(e);
      } catch (Error e) {
        ended(e);
        throw e;
      } finally {
        lease.unwatch();
      }
      Run ended = store.runs().find(run.id()).orElse(run);
      return new RunReport(ended, store.disagreements().counts(run.id()));
    }
  }

  void abandon(String why) {
    try (lease) {
      end.failed(why);
    }
  }

  private void work() throws InterruptedException {
    source.client().probe(run.entityType());
    Window window = new WindowChoice(source, settings, store.watermarks()).of(request, run);
    progress.begin(RunPhase.LISTING);
    write(
        handle -> {
          store.runs().window(handle, run.id(), window.from(), window.to());
          return true;
        });
    log.info("run {}: {}/{} {}", run.id(), run.source(), run.entityType(), window);
    RunSlices.Done before = store.slices().find(run.id());
    boolean loads = run.slicedTo() == null ? loads() : before.loads();
    RunContext whole = context(window, loads, new CoveredFields());
    Slices slices =
        whole.isSliced() ? Slices.of(window, settings.slice(), run.slicedTo()) : Slices.one(window);
    SliceBreak rest = new SliceBreak(store, leases, run, lease, this::write, pause);
    SliceWork work = new SliceWork(before);
    while (slices.hasNext()) {
      Window slice = slices.next();
      RunContext context = context(slice, loads, whole.fields());
      boolean empty = work.complete(context, slices.isLast(slice), slices.areMany());
      if (slices.areMany()) {
        write(
            handle -> {
              work.done(handle, context, end.covered(context));
              return true;
            });
        if (!slices.isLast(slice)) {
          rest.letOthers();
        }
      }
      slices.done(slice, empty);
    }
    end.done(whole);
  }

  private boolean loads() {
    return source.config().entity(run.entityType()).feed() == Feed.POLL
        || (run.reason() == RunReason.BACKFILL && isFirst());
  }

  private RunContext context(Window window, boolean loads, CoveredFields fields) {
    EntityConfig type = source.config().entity(run.entityType());
    return new RunContext(
        store,
        this::write,
        source.config(),
        type,
        source.client(),
        pause,
        run,
        window,
        request.openEnd(),
        loads,
        new BodyComparison(type.compare()),
        fields,
        new SumTotals(type.sums()),
        progress);
  }

  // Nothing has vouched for the replica yet: what is not there was never announced. Live events
  // may have come in before.
  private boolean isFirst() {
    return store.watermarks().find(run.source(), run.entityType()).isEmpty()
        || store.replica().isEmpty(run.source(), run.entityType());
  }

  private <T extends @Nullable Object> T write(Function<Handle, T> work) {
    lease.ensure();
    RunProgress news = progress.news();
    Function<Handle, T> noted =
        handle -> {
          T done = work.apply(handle);
          if (news != null) {
            store.control().progress(handle, run.id(), news);
          }
          return done;
        };
    T result =
        lease.isHeld()
            ? fenced.write(lease.lease(), noted)
            : fenced.writeWaiting(lease.lease(), run.id(), noted);
    if (news != null) {
      progress.written(news);
    }
    return result;
  }

  // Whatever a run that is to end threw, it threw because it was interrupted.
  private void ended(Throwable cause) {
    RunStop stop = lease.unwatch();
    // The database's driver gives up on an interrupted thread; how the run ended must be written.
    boolean interrupted = Thread.interrupted() || cause instanceof InterruptedException;
    try {
      if (stop != null) {
        end.stopped(stop);
      } else if (interrupted) {
        end.stopped(RunStop.SERVICE_STOPPED);
      } else if (cause instanceof ReconcileException || cause instanceof StoreException) {
        end.failed(String.valueOf(cause.getMessage()));
      } else {
        log.error("run {} failed", run.id(), cause);
        end.failed("an error of our own (" + cause.getClass().getSimpleName() + "); see the log");
      }
    } finally {
      if (stop == null && interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
