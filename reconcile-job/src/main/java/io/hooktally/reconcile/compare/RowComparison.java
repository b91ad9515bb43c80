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
import org.jspecify.annotations.Nullable;

/** One listed row against the replica's row of its id. Not thread-safe. */
final class RowComparison {
  private final RunContext run;
  private final JsonbMatch match = new JsonbMatch();

  RowComparison(RunContext run) {
    this.run = run;
  }

  /** Which fields only the list has, and which only a read has, shows in any one entity. */
  void learn(ListedRow row) {
    if (run.client().read(run.type().type(), row.id()) instanceof ReadResult.Found found) {
      run.fields().learn(row.body(), found.body());
    }
  }

  /** Whether a row of the same modified time says the same. */
  boolean agrees(ListedRow row, EntityText ours) {
    CoveredFields fields = run.fields();
    fields.note(row.body());
    return match.matches(row.body(), ours.utf8(), fields.notRead(), fields.onlyRead())
        || agrees(row, Json.parse(ours.utf8()));
  }

  /** The suspicion that a row raises; null where the replica agrees. */
  @Nullable Suspect suspect(ListedRow row, @Nullable Entity ours) {
    Kind kind = kind(row, ours);
    return kind == null
        ? null
        : new Suspect(row.id(), kind, row.modified(), ours == null ? null : ours.modified(), false);
  }

  private @Nullable Kind kind(ListedRow row, @Nullable Entity ours) {
    run.fields().note(row.body());
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
    return agrees(row, body) ? null : Kind.DIFFERENT;
  }

  private boolean agrees(ListedRow row, JsonNode ours) {
    return run.comparison().differences(ours, row.body(), run.fields().of(row.body())).isEmpty();
  }
}
