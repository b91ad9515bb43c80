package io.hooktally.reconcile.compare;

import io.hooktally.reconcile.RunContext;
import io.hooktally.store.replica.EntityVersion;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Suspect;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The replica's rows in the window that a complete listing did not show. */
public final class ExtraCandidates {
  private static final int BATCH = 500;

  private final RunContext run;

  /** Of one run, once its listing is complete. */
  public ExtraCandidates(RunContext run) {
    this.run = run;
  }

  /** Notes them as suspects; answers how many rows the replica has in the window. */
  public long find() {
    long rows = 0;
    @Nullable EntityVersion after = null;
    while (true) {
      List<EntityVersion> batch =
          run.store()
              .replica()
              .window(
                  run.run().source(),
                  run.run().entityType(),
                  run.window().from(),
                  run.window().to(),
                  after,
                  BATCH);
      if (batch.isEmpty()) {
        return rows;
      }
      rows += batch.size();
      note(batch);
      after = batch.get(batch.size() - 1);
    }
  }

  private void note(List<EntityVersion> batch) {
    Set<String> listed =
        new HashSet<>(
            run.store()
                .runs()
                .seen(run.run().id(), batch.stream().map(EntityVersion::entityId).toList()));
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
