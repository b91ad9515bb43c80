package io.hooktally.reconcile.fix;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.RunContext;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Reading;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks back at what was fixed: a replica older than its fix is residual. */
public final class Residual {
  private static final int BATCH = 20;

  private final RunContext run;

  /** Of one run. */
  public Residual(RunContext run) {
    this.run = run;
  }

  /** Marks the fixed entities that still differ. */
  public void lookBack() {
    String after = "";
    while (true) {
      List<Disagreement> fixed = run.store().slices().fixed(run.run().id(), after, BATCH);
      if (fixed.isEmpty()) {
        return;
      }
      after = fixed.get(fixed.size() - 1).entityId();
      mark(fixed);
    }
  }

  private void mark(List<Disagreement> fixed) {
    Map<String, Entity> ours =
        run.store()
            .replica()
            .find(
                run.run().source(),
                run.run().entityType(),
                fixed.stream().map(Disagreement::entityId).toList());
    List<Disagreement> residual =
        fixed.stream().filter(one -> isOlder(ours.get(one.entityId()), one.reading())).toList();
    if (!residual.isEmpty()) {
      run.writer()
          .write(
              handle -> {
                residual.forEach(one -> run.store().disagreements().residual(handle, one));
                return null;
              });
    }
  }

  private boolean isOlder(@Nullable Entity ours, @Nullable Reading fix) {
    if (fix == null) {
      return true;
    }
    if (ours == null) {
      return fix.body() != null;
    }
    if (ours.version().readNumber() > fix.ticket().number()) {
      return false;
    }
    if (fix.body() == null || ours.deleted()) {
      return ours.version().readNumber() == fix.ticket().number()
          ? ours.deleted() != (fix.body() == null)
          : ours.deleted();
    }
    Instant held = ours.modified();
    Instant theirs = fix.modified();
    if (held != null && theirs != null && !held.equals(theirs)) {
      return held.isBefore(theirs);
    }
    JsonNode body = ours.body();
    return body == null
        || !run.comparison().differences(body, ReadBodies.parse(fix.body())).isEmpty();
  }
}
