package io.hooktally.reconcile;

import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunReason;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * What a run is to look at.
 *
 * @param window null for a scheduled run, which follows the watermark, for a sweep, and for a
 *     backfill of all there is
 * @param scheduledFor the calendar day of a scheduled run; at most one run per day ends
 * @param trustSource whether entities that are ahead are brought back to the source's state: after
 *     the source was restored from a backup, or served bogus times
 */
public record RunRequest(
    String source,
    String entityType,
    @Nullable Window window,
    RunReason reason,
    RunMode mode,
    @Nullable LocalDate scheduledFor,
    boolean trustSource) {
  /** Checks that reason and window fit. */
  public RunRequest {
    if (window == null && reason == RunReason.MANUAL) {
      throw new IllegalArgumentException("a run asked for by a person needs a window");
    }
    if (window != null && (reason == RunReason.SCHEDULED || reason == RunReason.SWEEP)) {
      throw new IllegalArgumentException("a " + reason.text() + " run chooses its window itself");
    }
  }

  /** The daily run: from the watermark, less the lookback, up to now. */
  public static RunRequest scheduled(
      String source, String entityType, RunMode mode, @Nullable LocalDate day) {
    return new RunRequest(source, entityType, null, RunReason.SCHEDULED, mode, day, false);
  }

  /** A run over a window, asked for by a person. */
  public static RunRequest manual(String source, String entityType, Window window, RunMode mode) {
    return new RunRequest(source, entityType, window, RunReason.MANUAL, mode, null, false);
  }

  /** The loading of an old window. */
  public static RunRequest backfill(String source, String entityType, Window window, RunMode mode) {
    return new RunRequest(source, entityType, window, RunReason.BACKFILL, mode, null, false);
  }

  /** The loading of everything: a new store from an empty database. */
  public static RunRequest backfillAll(String source, String entityType, RunMode mode) {
    return new RunRequest(source, entityType, null, RunReason.BACKFILL, mode, null, false);
  }

  /**
   * A walk over the whole list, by created time, that compares either way.
   *
   * @param day the calendar day a sweep of the schedule is for; null: a person asked for it
   */
  public static RunRequest sweep(
      String source, String entityType, RunMode mode, @Nullable LocalDate day) {
    return new RunRequest(source, entityType, null, RunReason.SWEEP, mode, day, false);
  }

  /** The same, with entities that are ahead brought back to the source's state. */
  public RunRequest trustingSource() {
    return new RunRequest(source, entityType, window, reason, mode, scheduledFor, true);
  }

  /** What a recorded run was asked for. */
  static RunRequest of(Run run) {
    return new RunRequest(
        run.source(),
        run.entityType(),
        asked(run),
        run.reason(),
        run.mode(),
        run.scheduledFor(),
        run.trustSource());
  }

  private static @Nullable Window asked(Run run) {
    Instant from = run.from();
    Instant to = run.to();
    if (from == null || to == null || from.equals(Window.BEGINNING)) {
      return null;
    }
    return run.reason() == RunReason.MANUAL || run.reason() == RunReason.BACKFILL
        ? new Window(from, to)
        : null;
  }

  /** Whether rows modified after the window's end are looked at too. */
  boolean openEnd() {
    return reason == RunReason.SCHEDULED || reason == RunReason.SWEEP;
  }
}
