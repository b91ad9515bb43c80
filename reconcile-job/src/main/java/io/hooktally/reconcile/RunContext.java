package io.hooktally.reconcile;

import io.hooktally.reconcile.compare.BodyComparison;
import io.hooktally.reconcile.compare.CoveredFields;
import io.hooktally.reconcile.compare.SumTotals;
import io.hooktally.reconcile.source.EntityConfig;
import io.hooktally.reconcile.source.ListOrder;
import io.hooktally.reconcile.source.ListRequest;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.store.Lane;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunReason;
import java.time.Instant;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of one run share.
 *
 * @param store the tables it works on
 * @param writer commits a step's writes, as long as the run's lease is held
 * @param run the run as it began
 * @param window what it looks at
 * @param openEnd whether rows modified at or after the window's end are looked at too
 * @param loads whether what is read counts as loaded instead of as a disagreement
 * @param progress what the steps say of how far they are
 * @param sums takes every listed row on which both sides agree, from one thread
 */
public record RunContext(
    RunStore store,
    Writer writer,
    SourceConfig source,
    EntityConfig type,
    SourceClient client,
    Pause pause,
    Run run,
    Window window,
    boolean openEnd,
    boolean loads,
    BodyComparison comparison,
    CoveredFields fields,
    SumTotals sums,
    Progress progress) {
  /** Commits writes under the run's lease. */
  @FunctionalInterface
  public interface Writer {
    /**
     * One transaction.
     *
     * @throws io.hooktally.store.LeaseLostException when the lease was taken over
     */
    <T extends @Nullable Object> T write(Function<Handle, T> work);
  }

  /** The key of one of its entities. */
  public EntityKey key(String id) {
    return new EntityKey(run.source(), run.entityType(), id);
  }

  /**
   * What is listed. A sweep walks by created time to the very end: no update moves a row there. So
   * do windows where the source cannot sort by modified time, as far back as entities still change.
   */
  public ListRequest listRequest() {
    String name = type.type();
    if (run.reason() == RunReason.SWEEP) {
      return ListRequest.everything(name, ListOrder.CREATED);
    }
    if (type.list().by() == ListOrder.CREATED) {
      boolean all = window.from().equals(Window.BEGINNING);
      Instant from = all ? null : window.from().minus(type.list().editReach());
      return new ListRequest(name, from, null, ListOrder.CREATED);
    }
    if (isSliced()) {
      Instant from = window.from().equals(Window.BEGINNING) ? null : window.from();
      return new ListRequest(name, from, window.to(), ListOrder.MODIFIED);
    }
    return ListRequest.modifiedSince(name, window.from());
  }

  /** Whether it is done in slices of time, each by a range the source is asked for. */
  boolean isSliced() {
    return run.reason() == RunReason.BACKFILL
        && type.list().takesRange()
        && type.list().by() == ListOrder.MODIFIED;
  }

  /** The lane of its fixes. */
  public Lane lane() {
    return run.reason() == RunReason.BACKFILL ? Lane.BACKFILL : Lane.RECONCILE;
  }
}
