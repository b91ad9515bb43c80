package io.hooktally.reconcile;

import io.hooktally.reconcile.compare.ListComparison;
import io.hooktally.reconcile.compare.UnlistedRows;
import io.hooktally.reconcile.fix.Confirm;
import io.hooktally.reconcile.fix.Fix;
import io.hooktally.reconcile.fix.Guards;
import io.hooktally.reconcile.fix.Residual;
import io.hooktally.reconcile.fix.TrustSource;
import io.hooktally.reconcile.source.ListOrder;
import io.hooktally.store.run.RunPhase;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunSlices;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * The steps of a run over one slice of its window after the other; mostly the window is one slice.
 * The guards count all slices together. Not thread-safe.
 */
final class SliceWork {
  private List<String> known = List.of();
  private long listed;
  private long held;
  private long unlisted;

  /** What is done so far counts. */
  SliceWork(RunSlices.Done before) {
    this.listed = before.listed();
    this.held = before.held();
  }

  /**
   * Lists, compares, confirms, fixes and looks back.
   *
   * @param last whether no slice follows
   * @param sliced whether the run has slices
   * @return whether neither side had a row
   */
  boolean complete(RunContext context, boolean last, boolean sliced) throws InterruptedException {
    context.progress().begin(RunPhase.LISTING);
    long rows;
    long here;
    try (ListComparison listing = new ListComparison(context)) {
      List<String> seen = listing.compare();
      known = seen.isEmpty() ? known : seen;
      rows = listing.rows();
      here = listing.held();
    }
    boolean byCreated = context.listRequest().order() == ListOrder.CREATED;
    if (byCreated) {
      context.progress().begin(RunPhase.SEARCHING);
      here = new UnlistedRows(context).find();
    }
    listed += rows;
    held += here;
    context.progress().begin(RunPhase.CONFIRMING);
    context
        .writer()
        .write(
            handle -> {
              if (!sliced) {
                context.store().sums().base(handle, context.run().id(), context.sums().values());
              }
              if (last) {
                context.store().disagreements().suspectEarlier(handle, context.run());
              }
              return true;
            });
    Confirm confirm = new Confirm(context, known);
    confirm.confirm();
    unlisted += confirm.unlisted();
    Guards guards = new Guards(context, listed, held, rows == 0);
    if (context.run().reason() == RunReason.SWEEP || !byCreated) {
      // By created time, what was created beyond the reach of edits is rightly not listed.
      guards.refuseUnlisted(unlisted, confirm.unlisted());
    }
    context.progress().begin(RunPhase.FIXING);
    guards.apply();
    new TrustSource(context).fix();
    new Fix(context).fix();
    context.progress().begin(RunPhase.LOOKING_BACK);
    new Residual(context).lookBack();
    return rows == 0 && here == 0;
  }

  /** Notes that the slice is done: sums, covered fields, and from where a resumption goes on. */
  void done(Handle handle, RunContext slice, Collection<String> covered) {
    long id = slice.run().id();
    slice.store().sums().addBase(handle, id, slice.sums().values());
    slice.store().runs().covers(handle, id, covered, slice.type().compare().ignore());
    slice
        .store()
        .slices()
        .done(handle, id, slice.window().from(), new RunSlices.Done(listed, held, slice.loads()));
  }
}
