package io.hooktally.reconcile.fix;

import io.hooktally.reconcile.RunContext;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.store.replica.Applied;
import io.hooktally.store.replica.Change;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.ReadTicket;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.SuspectState;
import java.util.List;

/**
 * Brings entities that are ahead back to the source's state, where a person asked for it: after the
 * source was restored from a backup, or served bogus times. Each by a read begun for that purpose,
 * whose epoch is one higher than the entity's; from then on payloads only trigger reads of it.
 */
public final class TrustSource {
  private static final int BATCH = 50;

  private final RunContext run;

  /** Of one run. */
  public TrustSource(RunContext run) {
    this.run = run;
  }

  /** Fixes all confirmed ones that are ahead. */
  public void fix() {
    String after = "";
    while (true) {
      List<Disagreement> confirmed =
          run.store()
              .disagreements()
              .list(run.run().id(), List.of(SuspectState.CONFIRMED), after, BATCH);
      if (confirmed.isEmpty()) {
        return;
      }
      after = confirmed.get(confirmed.size() - 1).entityId();
      confirmed.stream().filter(one -> one.kind() == Kind.AHEAD).forEach(this::fix);
    }
  }

  private void fix(Disagreement one) {
    ReadTicket ticket = run.store().replica().beginRead(run.key(one.entityId()));
    ReadResult result = run.client().tryRead(run.type().type(), one.entityId());
    if (result instanceof ReadResult.Unreadable unreadable) {
      run.writer()
          .write(
              handle -> {
                run.store()
                    .disagreements()
                    .end(
                        handle, one, SuspectState.FAILED, "could not be read: " + unreadable.why());
                return null;
              });
      return;
    }
    run.writer()
        .write(
            handle -> {
              int epoch =
                  run.store()
                      .replica()
                      .lock(handle, ticket.key())
                      .map(Entity::version)
                      .map(version -> version.epoch())
                      .orElse(0);
              boolean fixed =
                  epoch == ticket.epoch()
                      && result instanceof ReadResult.Found found
                      && run.store()
                              .replica()
                              .apply(
                                  handle,
                                  new Change.Read(
                                      ticket.raised(),
                                      found.modified(),
                                      found.body(),
                                      run.lane(),
                                      null))
                          == Applied.CHANGED;
              if (fixed && result instanceof ReadResult.Found found) {
                Fix.tell(
                    run, handle, List.of(Fix.changed(run, one, ticket.number(), found.body())));
              }
              run.store()
                  .disagreements()
                  .end(
                      handle,
                      one,
                      fixed ? SuspectState.FIXED : SuspectState.MOVED_ON,
                      fixed ? "the source was trusted" : "changed again since it was confirmed");
              return null;
            });
  }
}
