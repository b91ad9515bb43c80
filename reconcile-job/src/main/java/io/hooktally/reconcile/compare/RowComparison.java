package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.RunContext;
import io.hooktally.reconcile.source.ListedRow;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.store.Json;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.EntityText;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Suspect;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One listed row against the replica's row of its id. Not thread-safe. */
final class RowComparison {
  // Of the newest rows one may be gone by now, or one that the source cannot show.
  private static final int TRIED = 5;

  private final RunContext run;
  private final RowMatch match = new RowMatch();
  private RowMatch.OneSided oneSided = RowMatch.OneSided.NONE;
  // What that was made of; nothing before the first use, which comes after learning.
  private @Nullable List<String> onlyRead;
  // The keys of the row that was noted last; rows mostly have the same.
  private @Nullable Object noted;

  RowComparison(RunContext run) {
    this.run = run;
  }

  /**
   * Which fields only the list has, and which only a read has, shows in any one entity; but rows
   * may leave out what is null.
   */
  void learn(List<ListedRow> rows) {
    rows.forEach(each -> run.fields().note(each.body()));
    for (ListedRow row : rows.subList(0, Math.min(rows.size(), TRIED))) {
      if (run.client().tryRead(run.type().type(), row.id()) instanceof ReadResult.Found found) {
        run.fields().learn(row.body(), found.body());
        return;
      }
    }
  }

  /** Whether a row of the same modified time says the same. */
  boolean agrees(ListedRow row, EntityText ours) {
    boolean same = match.matches(row.text(), ours.utf8(), oneSided());
    if (same && noted != match.shape()) {
      run.fields().note(row.body());
      noted = match.shape();
      // A field that was skipped may turn out to be one of the list's.
      same = match.matches(row.text(), ours.utf8(), oneSided());
    }
    return same || agrees(row.body(), Json.parse(ours.utf8()));
  }

  private RowMatch.OneSided oneSided() {
    List<String> now = run.fields().onlyRead();
    if (onlyRead != now) {
      onlyRead = now;
      oneSided = new RowMatch.OneSided(run.fields().notRead(), now);
    }
    return oneSided;
  }

  /** The suspicion that a row raises; null where the replica agrees. */
  @Nullable Suspect suspect(ListedRow row, @Nullable Entity ours) {
    Kind kind = kind(row, ours);
    return kind == null
        ? null
        : new Suspect(row.id(), kind, row.modified(), ours == null ? null : ours.modified(), false);
  }

  private @Nullable Kind kind(ListedRow row, @Nullable Entity ours) {
    JsonNode theirs = row.body();
    run.fields().note(theirs);
    JsonNode body = ours == null ? null : ours.body();
    if (ours == null || ours.deleted() || body == null) {
      return Kind.MISSING;
    }
    Instant held = ours.modified();
    if (held == null || held.isBefore(row.modified())) {
      return Kind.STALE;
    }
    if (held.isAfter(row.modified())) {
      return Kind.AHEAD;
    }
    return agrees(theirs, body) ? null : Kind.DIFFERENT;
  }

  private boolean agrees(JsonNode theirs, JsonNode ours) {
    return run.comparison().differences(ours, theirs, run.fields().of(theirs)).isEmpty();
  }
}
