package io.hooktally.reconcile.fix;

import io.hooktally.reconcile.RunContext;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.replica.Applied;
import io.hooktally.store.replica.Change;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Reading;
import io.hooktally.store.run.SuspectState;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends confirmed disagreements: from the single read, through apply, each in one transaction that
 * holds the run's lease and the replica's row.
 */
public final class Fix {
  private static final Logger log = LoggerFactory.getLogger(Fix.class);
  private static final int BATCH = 20;

  private final RunContext run;

  /** Of one run. */
  public Fix(RunContext run) {
    this.run = run;
  }

  /** Fixes all that is still confirmed. */
  public void fix() {
    while (true) {
      List<Disagreement> confirmed =
          run.store()
              .disagreements()
              .list(run.run().id(), List.of(SuspectState.CONFIRMED), "", BATCH);
      if (confirmed.isEmpty()) {
        return;
      }
      confirmed.forEach(this::fix);
    }
  }

  private void fix(Disagreement one) {
    try {
      run.writer()
          .write(
              handle -> {
                run.store().replica().lock(handle, run.key(one.entityId()));
                Applied applied = run.store().replica().apply(handle, change(one));
                boolean fixed = applied == Applied.CHANGED || applied == Applied.UNCHANGED;
                SuspectState state = fixed ? SuspectState.FIXED : SuspectState.MOVED_ON;
                String note = fixed ? null : "the live way brought a newer state first";
                run.store().disagreements().end(handle, one, state, note);
                return null;
              });
    } catch (LeaseLostException e) {
      throw e;
    } catch (RuntimeException e) {
      log.warn(
          "run {}: {} could not be fixed: {}",
          run.run().id(),
          run.key(one.entityId()),
          e.toString());
      String note = "could not be written (" + e.getClass().getSimpleName() + "); see the log";
      run.writer()
          .write(
              handle -> {
                run.store().disagreements().end(handle, one, SuspectState.FAILED, note);
                return null;
              });
    }
  }

  private Change change(Disagreement one) {
    Reading reading = Objects.requireNonNull(one.reading(), "a confirmed suspect was read");
    return reading.body() == null
        ? new Change.Gone(reading.ticket(), run.lane(), null)
        : new Change.Read(
            reading.ticket(),
            reading.modified(),
            ReadBodies.parse(reading.body()),
            run.lane(),
            null);
  }
}
