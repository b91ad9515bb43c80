package io.hooktally.store.run;

import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A run about to begin.
 *
 * @param scheduledFor the calendar day a scheduled run is for; null for others
 * @param from start of the window that was asked for; null where the run chooses it
 * @param to its end (exclusive)
 * @param trustSource whether entities that are ahead are brought back to the source's state
 */
public record NewRun(
    String source,
    String entityType,
    RunReason reason,
    RunMode mode,
    @Nullable LocalDate scheduledFor,
    @Nullable Instant from,
    @Nullable Instant to,
    boolean trustSource) {}
