package io.hooktally.store.run;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is recorded; what it found is counted by {@link Disagreements#counts}.
 *
 * @param id its number
 * @param scheduledFor the calendar day a scheduled run is for
 * @param from start of its window, in the source's time; null until it is known
 * @param to end of its window (exclusive)
 * @param startedAt by the database's clock
 * @param endedAt by the database's clock; null while it runs
 * @param listed entities the source listed in the window
 * @param covered the fields the report vouches for
 * @param ignored the pointers it did not look at
 * @param error why it failed, free of content
 * @param stopped whether it ended with its process, not by an error of its own
 * @param resumed how often it was taken up again under its number
 * @param trustSource whether entities that are ahead are brought back to the source's state
 * @param slicedTo of a run in slices: from here on its window is done
 * @param progress how far it is, or was when it ended
 */
public record Run(
    long id,
    String source,
    String entityType,
    RunReason reason,
    RunMode mode,
    RunState state,
    String holder,
    @Nullable LocalDate scheduledFor,
    @Nullable Instant from,
    @Nullable Instant to,
    Instant startedAt,
    @Nullable Instant endedAt,
    long listed,
    List<String> covered,
    List<String> ignored,
    @Nullable String error,
    boolean stopped,
    int resumed,
    boolean trustSource,
    @Nullable Instant slicedTo,
    RunProgress progress) {
  /**
   * How much of the window has been listed, from 0 to 1, by the time the list has reached; empty
   * where that cannot be told.
   */
  public OptionalDouble listedShare() {
    Instant reached = progress.reached();
    if (progress.phase() != RunPhase.LISTING) {
      return progress.phase() == null ? OptionalDouble.empty() : OptionalDouble.of(1);
    }
    if (reached == null || from == null || to == null || !from.isBefore(to)) {
      return OptionalDouble.empty();
    }
    double whole = Duration.between(from, to).toMillis();
    double done = Duration.between(reached, to).toMillis();
    return OptionalDouble.of(Math.min(1, Math.max(0, done / whole)));
  }
}
