package io.hooktally.reconcile;

import io.hooktally.reconcile.compare.BodyComparison;
import io.hooktally.reconcile.compare.CoveredFields;
import io.hooktally.reconcile.compare.ListComparison;
import io.hooktally.reconcile.compare.SumTotals;
import io.hooktally.reconcile.compare.UnlistedRows;
import io.hooktally.reconcile.fix.Confirm;
import io.hooktally.reconcile.fix.Fix;
import io.hooktally.reconcile.fix.Guards;
import io.hooktally.reconcile.fix.Residual;
import io.hooktally.reconcile.fix.TrustSource;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.EntityConfig;
import io.hooktally.reconcile.source.Feed;
import io.hooktally.reconcile.source.ListOrder;
import io.hooktally.reconcile.source.Priority;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.StoreException;
import io.hooktally.store.run.Fenced;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunPhase;
import io.hooktally.store.run.RunProgress;
import io.hooktally.store.run.RunReason;
import java.util.List;
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
      SourceAccess source,
      ReconcileSettings settings,
      Pause pause,
      RunRequest request,
      Run run,
      HeldLease lease) {
    this.store = store;
    this.fenced = fenced;
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
    RunContext context = context(window);
    log.info("run {}: {}/{} {}", run.id(), run.source(), run.entityType(), window);

    ListComparison listing = new ListComparison(context);
    List<String> known = listing.compare();
    boolean byCreated = context.listRequest().order() == ListOrder.CREATED;
    long held = listing.held();
    if (byCreated) {
      progress.begin(RunPhase.SEARCHING);
      held = new UnlistedRows(context).find();
    }
    progress.begin(RunPhase.CONFIRMING);
    write(
        handle -> {
          store.sums().base(handle, run.id(), context.sums().values());
          store.disagreements().suspectEarlier(handle, run);
          return true;
        });
    Confirm confirm = new Confirm(context, known);
    confirm.confirm();
    Guards guards = new Guards(context, listing.rows(), held);
    if (run.reason() == RunReason.SWEEP || !byCreated) {
      // By created time, what was created beyond the reach of edits is rightly not listed.
      guards.refuseUnlisted(confirm.unlisted());
    }
    progress.begin(RunPhase.FIXING);
    guards.apply();
    new TrustSource(context).fix();
    new Fix(context).fix();
    progress.begin(RunPhase.LOOKING_BACK);
    new Residual(context).lookBack();
    end.done(context);
  }

  private RunContext context(Window window) {
    EntityConfig type = source.config().entity(run.entityType());
    boolean loads = type.feed() == Feed.POLL || (run.reason() == RunReason.BACKFILL && isFirst());
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
        new CoveredFields(),
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
    T result =
        fenced.write(
            lease.lease(),
            handle -> {
              T done = work.apply(handle);
              if (news != null) {
                store.control().progress(handle, run.id(), news);
              }
              return done;
            });
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
