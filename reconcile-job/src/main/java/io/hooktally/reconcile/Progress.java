package io.hooktally.reconcile;

import io.hooktally.reconcile.source.SourceUsage;
import io.hooktally.store.run.RunPhase;
import io.hooktally.store.run.RunProgress;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How far a run is, as its steps tell; it is written with their batches. Thread-safe. */
public final class Progress {
  private @Nullable RunPhase phase;
  private long pages;
  private @Nullable Instant reached;
  private RunProgress written = RunProgress.NONE;

  private final RunProgress before;
  private final Supplier<SourceUsage> usage;

  /**
   * Of a run.
   *
   * @param before what it had asked of its source before it was taken up again
   * @param usage what it has asked since
   */
  Progress(RunProgress before, Supplier<SourceUsage> usage) {
    this.before = before;
    this.usage = usage;
  }

  synchronized void begin(RunPhase next) {
    phase = next;
  }

  /**
   * A page was listed.
   *
   * @param last the time of its last row
   */
  public synchronized void page(Instant last) {
    pages++;
    reached = last;
  }

  /** What is to be written; null where it has been. */
  synchronized @Nullable RunProgress news() {
    SourceUsage asked = usage.get();
    RunProgress now =
        new RunProgress(
            phase,
            pages,
            reached,
            before.requests() + asked.requests(),
            before.bytes() + asked.bytes(),
            before.throttled().plus(asked.throttled()));
    return now.equals(written) ? null : now;
  }

  synchronized void written(RunProgress progress) {
    written = progress;
  }
}
