package io.hooktally.reconcile;

import io.hooktally.reconcile.compare.BodyComparison;
import io.hooktally.reconcile.compare.CoveredFields;
import io.hooktally.reconcile.compare.ExtraCandidates;
import io.hooktally.reconcile.compare.ListComparison;
import io.hooktally.reconcile.compare.SumTotals;
import io.hooktally.reconcile.fix.Confirm;
import io.hooktally.reconcile.fix.Fix;
import io.hooktally.reconcile.fix.Guards;
import io.hooktally.reconcile.fix.Residual;
import io.hooktally.reconcile.report.AlertText;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.EntityConfig;
import io.hooktally.reconcile.source.Feed;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.StoreException;
import io.hooktally.store.run.Fenced;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunState;
import java.time.Instant;
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
    this.source = source;
    this.settings = settings;
    this.pause = pause;
    this.request = request;
    this.run = run;
    this.lease = lease;
  }

  RunReport complete() {
    try (lease) {
      try {
        work();
      } catch (LeaseLostException e) {
        log.warn("run {} stops: {}", run.id(), e.getMessage());
        throw e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        fail("it was interrupted");
      } catch (ReconcileException | StoreException e) {
        fail(String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        log.error("run {} failed", run.id(), e);
        fail("an error of our own (" + e.getClass().getSimpleName() + "); see the log");
      } catch (Error e) {
        fail("an error of our own (" + e.getClass().getSimpleName() + "); see the log");
        throw e;
      }
      Run ended = store.runs().find(run.id()).orElse(run);
      return new RunReport(ended, store.disagreements().counts(run.id()));
    }
  }

  void abandon(String why) {
    try (lease) {
      fail(why);
    }
  }

  private void work() throws InterruptedException {
    source.client().probe(run.entityType());
    Window window = window();
    write(
        handle -> {
          store.runs().window(handle, run.id(), window.from(), window.to());
          return true;
        });
    RunContext context = context(window);
    log.info("run {}: {}/{} {}", run.id(), run.source(), run.entityType(), window);

    ListComparison listing = new ListComparison(context);
    List<String> known = listing.compare();
    long held = new ExtraCandidates(context).find();
    write(
        handle -> {
          store.sums().addBase(handle, run.id(), context.sums().values());
          store.disagreements().suspectEarlier(handle, run);
          return true;
        });
    Confirm confirm = new Confirm(context, known);
    confirm.confirm();
    Guards guards = new Guards(context, listing.rows(), held);
    guards.refuseUnlisted(confirm.unlisted());
    guards.apply();
    new Fix(context).fix();
    new Residual(context).lookBack();
    end(context);
  }

  private Window window() {
    Window asked = request.window();
    if (asked != null) {
      refuseUnsettled(asked, source);
      return asked;
    }
    Instant now = source.client().now();
    Instant from =
        store
            .watermarks()
            .find(run.source(), run.entityType())
            .map(mark -> mark.minus(settings.lookback()))
            .orElseGet(
                () ->
                    now.atZone(settings.zone())
                        .toLocalDate()
                        .minusDays(1)
                        .atStartOfDay(settings.zone())
                        .toInstant());
    Instant to = now.minus(source.config().settle());
    return new Window(from.isBefore(to) ? from : to, to);
  }

  static void refuseUnsettled(@Nullable Window window, SourceAccess source) {
    Instant latest = source.client().now().minus(source.config().settle());
    if (window != null && window.to().isAfter(latest)) {
      throw new RunRefusedException(
          "'to' may be at most "
              + latest
              + ": the source's now less settle ("
              + source.config().settle()
              + ")");
    }
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
        request.window() == null,
        loads,
        new BodyComparison(type.compare()),
        new CoveredFields(),
        new SumTotals(type.sums()));
  }

  // Nothing has vouched for the replica yet: what is not there was never announced. Live events
  // may have come in before.
  private boolean isFirst() {
    return store.watermarks().find(run.source(), run.entityType()).isEmpty()
        || store.replica().isEmpty(run.source(), run.entityType());
  }

  private <T extends @Nullable Object> T write(Function<Handle, T> work) {
    lease.ensure();
    return fenced.write(lease.lease(), work);
  }

  private void end(RunContext context) {
    List<String> ignored = context.type().compare().ignore();
    write(
        handle -> {
          store.sums().total(handle, run.id());
          store.disagreements().close(handle, run);
          store
              .runs()
              .covers(
                  handle, run.id(), context.fields().covered(context.type().compare()), ignored);
          store.runs().end(handle, run.id(), RunState.DONE, null);
          moveWatermark(handle, context.window());
          RunCounts counts = store.disagreements().counts(handle, run.id());
          if (!counts.addUp()) {
            throw new ReconcileException(
                "the counts of run " + run.id() + " do not add up: " + counts);
          }
          Run ended = store.runs().find(handle, run.id()).orElse(run);
          AlertText.done(ended, counts).ifPresent(told -> alert(handle, told));
          return true;
        });
  }

  private void moveWatermark(Handle handle, Window window) {
    boolean scheduled = run.reason() == RunReason.SCHEDULED;
    if (run.mode() == RunMode.FIX && (scheduled || run.reason() == RunReason.BACKFILL)) {
      store.watermarks().move(handle, run, window.to(), !scheduled);
    }
  }

  private void fail(String error) {
    // The database's driver gives up on an interrupted thread; what failed must be written.
    boolean interrupted = Thread.interrupted();
    try {
      log.warn("run {} failed: {}", run.id(), error);
      write(
          handle -> {
            store.disagreements().letGo(handle, run.id());
            store.runs().end(handle, run.id(), RunState.FAILED, error);
            alert(handle, AlertText.failed(run, error));
            return true;
          });
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void alert(Handle handle, AlertText.Told told) {
    log.warn("{}", told.text());
    store.alerts().add(handle, told.kind(), run.source(), run.entityType(), run.id(), told.text());
  }
}
