package io.hooktally.reconcile.compare;

import io.hooktally.reconcile.RunContext;
import io.hooktally.reconcile.source.Listed;
import io.hooktally.reconcile.source.ListedRow;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Suspect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The first half of a run: every listed row against the replica's row of its id. */
public final class ListComparison {
  private static final int KNOWN = 3;

  private final RunContext run;
  private final List<String> known = new ArrayList<>();
  private long rows;

  /** Of one run. */
  public ListComparison(RunContext run) {
    this.run = run;
  }

  /**
   * Lists the source and notes the suspects.
   *
   * @return some ids that were listed, to try the single read on
   */
  public List<String> compare() {
    Listed listed = run.client().list(run.listRequest(), this::compare);
    if (listed.rows() < rows) {
      throw new IllegalStateException("more rows compared than listed");
    }
    return List.copyOf(known);
  }

  /** How many rows of the window were listed. */
  public long rows() {
    return rows;
  }

  private void compare(List<ListedRow> page) {
    List<ListedRow> mine =
        page.stream()
            .filter(row -> run.openEnd() || row.modified().isBefore(run.window().to()))
            .toList();
    if (!page.isEmpty()) {
      run.progress().page(page.get(page.size() - 1).sortedBy());
    }
    if (mine.isEmpty()) {
      return;
    }
    if (known.isEmpty()) {
      learn(mine.get(0));
    }
    mine.stream().limit(Math.max(0, KNOWN - known.size())).forEach(row -> known.add(row.id()));
    Map<String, Entity> ours =
        run.store()
            .replica()
            .find(
                run.run().source(),
                run.run().entityType(),
                mine.stream().map(ListedRow::id).toList());
    Set<String> kept = kept(mine);
    List<Suspect> suspects = new ArrayList<>();
    for (ListedRow row : mine) {
      Entity entity = ours.get(row.id());
      Kind kind = suspect(row, entity);
      if (kind == null) {
        // What was fixed before the run was taken up again counts by its own row.
        if (!kept.contains(row.id())) {
          run.sums().add(row.body());
        }
      } else {
        Instant held = entity == null ? null : entity.modified();
        suspects.add(new Suspect(row.id(), kind, row.modified(), held, false));
      }
    }
    rows += mine.size();
    run.writer()
        .write(
            handle -> {
              run.store().runs().listed(handle, run.run().id(), mine.size(), ours.keySet());
              run.store().disagreements().suspect(handle, run.run(), suspects);
              return null;
            });
  }

  private Set<String> kept(List<ListedRow> page) {
    return run.run().resumed() == 0
        ? Set.of()
        : run.store()
            .disagreements()
            .kept(run.run().id(), page.stream().map(ListedRow::id).toList());
  }

  // Which fields only the list has shows in any one entity.
  private void learn(ListedRow row) {
    if (run.client().read(run.type().type(), row.id()) instanceof ReadResult.Found found) {
      run.fields().learn(row.body(), found.body());
    }
  }

  private @Nullable Kind suspect(ListedRow row, @Nullable Entity ours) {
    var fields = run.fields().of(row.body());
    if (ours == null || ours.deleted() || ours.body() == null) {
      return Kind.MISSING;
    }
    Instant held = ours.modified();
    if (held == null || held.isBefore(row.modified())) {
      return Kind.STALE;
    }
    if (held.isAfter(row.modified())) {
      return Kind.AHEAD;
    }
    return run.comparison().differences(ours.body(), row.body(), fields).isEmpty()
        ? null
        : Kind.DIFFERENT;
  }
}
