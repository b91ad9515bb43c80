package io.hooktally.store.run;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A run about to begin.
 *
 * @param scheduledFor the calendar day a scheduled run is for; null for others
 */
public record NewRun(
    String source,
    String entityType,
    RunReason reason,
    RunMode mode,
    @Nullable LocalDate scheduledFor) {}
