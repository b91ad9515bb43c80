package io.hooktally.reconcile.fix;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.compare.BodyComparison;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.run.Difference;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Reading;
import io.hooktally.store.run.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rule 7: whether a suspect counts, given a single read and the replica's row after it. Pure. */
final class ConfirmRule {
  private final BodyComparison comparison;
  private final Instant windowEnd;

  ConfirmRule(BodyComparison comparison, Instant windowEnd) {
    this.comparison = comparison;
    this.windowEnd = windowEnd;
  }

  /** {@code body} is the read's entity; null where the source said 404 or 410. */
  Verdict decide(
      Disagreement suspect, Reading reading, @Nullable JsonNode body, @Nullable Entity ours) {
    if (body == null) {
      return gone(suspect, reading, ours);
    }
    if (ours == null || ours.body() == null) {
      return Verdict.confirmed(Kind.MISSING, reading, List.of());
    }
    boolean readSince = ours.version().readNumber() > reading.ticket().number();
    if (ours.deleted()) {
      return readSince
          ? Verdict.movedOn("deleted at the source since this read")
          : Verdict.confirmed(Kind.MISSING, reading, List.of());
    }
    return live(suspect, reading, ours, readSince, comparison.differences(ours, body));
  }

  /** Whether the source had this state already when it was listed, and the list left it out. */
  boolean shouldHaveBeenListed(Disagreement suspect, Reading reading, Instant windowStart) {
    Instant theirs = reading.modified();
    return suspect.listedModified() == null
        && !suspect.earlier()
        && reading.body() != null
        && theirs != null
        && !theirs.isBefore(windowStart)
        && theirs.isBefore(windowEnd);
  }

  private Verdict live(
      Disagreement suspect,
      Reading reading,
      Entity ours,
      boolean readSince,
      List<Difference> differences) {
    Instant theirs = reading.modified();
    Instant held = ours.modified();
    Instant listed = suspect.listedModified();
    int order = theirs == null || held == null ? 0 : held.compareTo(theirs);
    if (theirs != null && held == null) {
      order = -1;
    }
    if (order > 0) {
      boolean changedHere = !Objects.equals(held, reading.ticket().knownModified());
      return readSince || changedHere
          ? Verdict.movedOn("changed here since it was read")
          : Verdict.confirmed(Kind.AHEAD, reading, differences);
    }
    if (order == 0) {
      boolean changedSince = listed != null && theirs != null && theirs.isAfter(listed);
      if (differences.isEmpty() || readSince) {
        return changedSince || !differences.isEmpty()
            ? Verdict.movedOn("changed at the source since it was listed, and here too")
            : Verdict.dissolved("the single read agrees");
      }
      return Verdict.confirmed(Kind.DIFFERENT, reading, differences);
    }
    boolean olderThanListed =
        held == null
            || suspect.earlier()
            || (listed == null
                ? theirs != null && theirs.isBefore(windowEnd)
                : held.isBefore(listed));
    return olderThanListed
        ? Verdict.confirmed(Kind.STALE, reading, differences)
        : Verdict.movedOn("changed at the source since it was listed");
  }

  private static Verdict gone(Disagreement suspect, Reading reading, @Nullable Entity ours) {
    boolean listed = suspect.listedModified() != null;
    if (listed) {
      return Verdict.movedOn("deleted at the source since it was listed");
    }
    if (ours == null || ours.deleted()) {
      return Verdict.dissolved("gone on both sides");
    }
    boolean unchanged =
        ours.version().readNumber() < reading.ticket().number()
            && Objects.equals(ours.modified(), reading.ticket().knownModified())
            && (suspect.earlier() || Objects.equals(ours.modified(), suspect.oursModified()));
    return unchanged
        ? Verdict.confirmed(Kind.EXTRA, reading, List.of())
        : Verdict.movedOn("changed here since it was read");
  }
}
