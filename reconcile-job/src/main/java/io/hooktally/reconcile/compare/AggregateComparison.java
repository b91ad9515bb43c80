package io.hooktally.reconcile.compare;

import io.hooktally.reconcile.InParallel;
import io.hooktally.reconcile.RunContext;
import io.hooktally.reconcile.source.ListedRow;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Suspect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * At depth {@code aggregate}: what the list says of an entity agrees, and now all of it is read and
 * compared, a few entities at once. What changed or went since it was listed is not suspected: it
 * stands at the top of the next list.
 */
final class AggregateComparison {
  // Whole entities in memory at a time.
  private static final int AT_ONCE = 20;

  private final RunContext run;
  private final InParallel threads;

  AggregateComparison(RunContext run, InParallel threads) {
    this.run = run;
    this.threads = threads;
  }

  /** The suspects among rows that agree with their list rows; what agrees wholly is summed up. */
  List<Suspect> compare(List<ListedRow> rows) throws InterruptedException {
    List<Suspect> suspects = new ArrayList<>();
    for (int start = 0; start < rows.size(); start += AT_ONCE) {
      List<ListedRow> some = rows.subList(start, Math.min(rows.size(), start + AT_ONCE));
      List<ReadResult> reads =
          threads.map(some, row -> run.client().tryRead(run.type().type(), row.id()));
      Map<String, Entity> ours =
          run.store()
              .replica()
              .find(
                  run.run().source(),
                  run.run().entityType(),
                  some.stream().map(ListedRow::id).toList());
      for (int i = 0; i < some.size(); i++) {
        ListedRow row = some.get(i);
        if (differs(row, reads.get(i), ours.get(row.id()))) {
          suspects.add(
              new Suspect(row.id(), Kind.DIFFERENT, row.modified(), row.modified(), false));
        }
      }
    }
    return suspects;
  }

  private boolean differs(ListedRow row, ReadResult read, @Nullable Entity ours) {
    if (read instanceof ReadResult.Unreadable) {
      // To be confirmed, which tells of it.
      return true;
    }
    if (!(read instanceof ReadResult.Found found)
        || !row.modified().equals(found.modified())
        || ours == null
        || !row.modified().equals(ours.modified())) {
      run.sums().add(row.body());
      return false;
    }
    run.fields().noteRead(found.body());
    if (!run.comparison().differences(ours, found.body()).isEmpty()) {
      return true;
    }
    run.sums().add(found.body());
    return false;
  }
}
