package io.hooktally.reconcile.fix;

import io.hooktally.reconcile.ReconcileException;
import io.hooktally.reconcile.RunContext;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.SuspectState;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Rule 8: no mass change without a person. Decides what of the confirmed is fixed at all. */
public final class Guards {
  private static final Set<Kind> CHANGES = EnumSet.of(Kind.MISSING, Kind.STALE, Kind.DIFFERENT);
  // A source that is trusted changes what is ahead as well.
  private static final Set<Kind> TRUSTED = EnumSet.complementOf(EnumSet.of(Kind.EXTRA));

  private final RunContext run;
  private final long listed;
  private final long held;
  private final boolean empty;

  /**
   * Of one run.
   *
   * @param listed rows the source listed, in all slices so far
   * @param held rows the replica has in what was listed
   * @param empty whether the last listing showed no row: nothing is concluded from it
   */
  public Guards(RunContext run, long listed, long held, boolean empty) {
    this.run = run;
    this.listed = listed;
    this.held = held;
    this.empty = empty;
  }

  /** Puts aside what is not to be fixed; what stays confirmed is. */
  public void apply() {
    run.writer()
        .write(
            handle -> {
              put(handle);
              return null;
            });
  }

  private void put(Handle handle) {
    long id = run.run().id();
    var disagreements = run.store().disagreements();
    run.store().open().heed(handle, run.run());
    if (run.run().mode() == RunMode.REPORT) {
      String note = "the run only reports";
      disagreements.endAll(handle, id, EnumSet.allOf(Kind.class), SuspectState.LEFT, note);
      return;
    }
    Map<Kind, Long> found = disagreements.confirmed(handle, id);
    if (!run.run().trustSource()) {
      disagreements.endAll(
          handle,
          id,
          Set.of(Kind.AHEAD),
          SuspectState.LEFT,
          "the source's state is older than ours; a run with trust-source takes it all the same");
    }
    long extra = found.getOrDefault(Kind.EXTRA, 0L);
    if (tooManyExtra(extra)) {
      disagreements.endAll(
          handle,
          id,
          Set.of(Kind.EXTRA),
          SuspectState.HELD_BACK,
          extra + " deletions of " + held + " rows, " + listed + " listed: a person decides");
    }
    Set<Kind> kinds = run.run().trustSource() ? TRUSTED : CHANGES;
    long changes = kinds.stream().mapToLong(kind -> found.getOrDefault(kind, 0L)).sum();
    if (tooManyChanges(changes)) {
      disagreements.endAll(
          handle,
          id,
          kinds,
          SuspectState.HELD_BACK,
          changes + " changes of " + listed + " listed rows: a person decides");
    }
  }

  /**
   * Fails the run where the list left out what single reads find: a source may hide a few rows, but
   * from a list that hides many, or all, nothing can be concluded (rule 11).
   *
   * @param unlisted in the whole run so far
   * @param here of these, in what was listed last
   */
  public void refuseUnlisted(long unlisted, long here) {
    if ((here > 0 && empty) || unlisted > Math.max(10, held / 100)) {
      throw new ReconcileException(
          "the list left out "
              + unlisted
              + " entities of its window that single reads find: it is not complete ("
              + listed
              + " listed, the replica has "
              + held
              + ")");
    }
  }

  boolean tooManyExtra(long extra) {
    return extra > 0
        && (empty || extra > Math.max(10, held / 100) || (held >= 5 && extra * 2 > held));
  }

  boolean tooManyChanges(long changes) {
    return run.run().reason() != RunReason.BACKFILL
        && (double) changes > Math.max(100.0, run.type().maxFixShare() * (double) listed);
  }
}
