package io.hooktally.service;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.hooktally.reconcile.job.SweepPlan;
import io.hooktally.reconcile.source.DurationReader;
import io.hooktally.reconcile.source.Problem;
import io.hooktally.store.run.RunMode;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The daily run.
 *
 * @param zone where days begin and {@code at} is read; default UTC
 * @param at when the run starts; default 04:30
 * @param mode {@code fix} (default), or {@code report}: tell, and change nothing
 * @param sweep {@code monthly} (default): the whole list is walked once a month; or {@code off}
 * @param lookback how far before the watermark a run reads again; default 2 days
 */
public record ReconcileConfig(
    ZoneId zone,
    LocalTime at,
    RunMode mode,
    SweepPlan sweep,
    @JsonDeserialize(using = DurationReader.class) Duration lookback) {
  /** Fills in defaults. */
  public ReconcileConfig(
      @Nullable ZoneId zone,
      @Nullable LocalTime at,
      @Nullable RunMode mode,
      @Nullable SweepPlan sweep,
      @Nullable Duration lookback) {
    this.zone = Objects.requireNonNullElse(zone, ZoneId.of("UTC"));
    this.at = Objects.requireNonNullElse(at, LocalTime.of(4, 30));
    this.mode = Objects.requireNonNullElse(mode, RunMode.FIX);
    this.sweep = Objects.requireNonNullElse(sweep, SweepPlan.MONTHLY);
    this.lookback = Objects.requireNonNullElse(lookback, Duration.ofDays(2));
  }

  List<Problem> problems() {
    return lookback.isNegative() || lookback.compareTo(Duration.ofDays(366)) > 0
        ? List.of(
            new Problem(
                "reconcile.lookback",
                lookback.toString(),
                "a duration from 0s to 366d",
                "Write for example 2d."))
        : List.of();
  }
}
