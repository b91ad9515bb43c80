package io.hooktally.reconcile;

import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunReason;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * What a run is to look at.
 *
 * @param window null for a scheduled run: it follows the watermark
 * @param scheduledFor the calendar day of a scheduled run; at most one run per day ends
 */
public record RunRequest(
    String source,
    String entityType,
    @Nullable Window window,
    RunReason reason,
    RunMode mode,
    @Nullable LocalDate scheduledFor) {
  /** Checks that reason and window fit. */
  public RunRequest {
    if ((window == null) != (reason == RunReason.SCHEDULED)) {
      throw new IllegalArgumentException(
          "a scheduled run follows the watermark, others need a window");
    }
  }

  /** The daily run: from the watermark, less the lookback, up to now. */
  public static RunRequest scheduled(
      String source, String entityType, RunMode mode, @Nullable LocalDate day) {
    return new RunRequest(source, entityType, null, RunReason.SCHEDULED, mode, day);
  }

  /** A run over a window, asked for by a person. */
  public static RunRequest manual(String source, String entityType, Window window, RunMode mode) {
    return new RunRequest(source, entityType, window, RunReason.MANUAL, mode, null);
  }

  /** The loading of an old window. */
  public static RunRequest backfill(String source, String entityType, Window window, RunMode mode) {
    return new RunRequest(source, entityType, window, RunReason.BACKFILL, mode, null);
  }
}
