package io.hooktally.reconcile;

import io.hooktally.store.alert.Alerts;
import io.hooktally.store.inbox.Troubles;
import io.hooktally.store.replica.Replica;
import io.hooktally.store.run.Coverage;
import io.hooktally.store.run.Disagreements;
import io.hooktally.store.run.LossFacts;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.Pending;
import io.hooktally.store.run.RunControl;
import io.hooktally.store.run.RunSlices;
import io.hooktally.store.run.Runs;
import io.hooktally.store.run.Sums;
import io.hooktally.store.run.Watermarks;
import org.jdbi.v3.core.Jdbi;

/** The tables a run works on. */
public record RunStore(
    Replica replica,
    Runs runs,
    RunControl control,
    RunSlices slices,
    Disagreements disagreements,
    OpenDisagreements open,
    Watermarks watermarks,
    Pending pending,
    Sums sums,
    LossFacts lossFacts,
    Coverage coverage,
    Troubles troubles,
    Alerts alerts) {
  /** In the database of {@code jdbi}. */
  public static RunStore of(Jdbi jdbi) {
    return new RunStore(
        new Replica(jdbi),
        new Runs(jdbi),
        new RunControl(jdbi),
        new RunSlices(jdbi),
        new Disagreements(jdbi),
        new OpenDisagreements(jdbi),
        new Watermarks(jdbi),
        new Pending(jdbi),
        new Sums(jdbi),
        new LossFacts(jdbi),
        new Coverage(jdbi),
        new Troubles(jdbi),
        new Alerts(jdbi));
  }
}
