package io.hooktally.reconcile.compare;

import io.hooktally.reconcile.RunContext;
import io.hooktally.store.replica.EntityVersion;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.Suspect;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The replica's rows that a complete listing by created time did not show: of the whole replica in
 * a sweep, else those modified in the window. Such a listing is in no order that the replica has,
 * so the ids it showed are kept in the database meanwhile.
 */
public final class UnlistedRows {
  private static final int BATCH = 500;

  private final RunContext run;

  /** Of one run, once its listing is complete. */
  public UnlistedRows(RunContext run) {
    this.run = run;
  }

  /** Notes them as suspects; answers how many rows the replica has in what was looked at. */
  public long find() {
    long rows = 0;
    @Nullable EntityVersion after = null;
    while (true) {
      List<EntityVersion> batch = batch(after);
      if (batch.isEmpty()) {
        return rows;
      }
      rows += batch.size();
      note(batch);
      after = batch.get(batch.size() - 1);
    }
  }

  private List<EntityVersion> batch(@Nullable EntityVersion after) {
    String source = run.run().source();
    String type = run.run().entityType();
    return run.run().reason() == RunReason.SWEEP
        ? run.store().replica().live(source, type, after == null ? "" : after.entityId(), BATCH)
        : run.store()
            .replica()
            .window(source, type, run.window().from(), run.window().to(), after, BATCH);
  }

  private void note(List<EntityVersion> batch) {
    List<String> ids = batch.stream().map(EntityVersion::entityId).toList();
    Set<String> listed = new HashSet<>(run.store().runs().seen(run.run().id(), ids));
    List<Suspect> suspects =
        batch.stream()
            .filter(row -> !listed.contains(row.entityId()))
            .map(
                row ->
                    new Suspect(row.entityId(), Kind.EXTRA, null, row.version().modified(), false))
            .toList();
    if (!suspects.isEmpty()) {
      run.writer()
          .write(
              handle -> {
                run.store().disagreements().suspect(handle, run.run(), suspects);
                return null;
              });
    }
  }
}
