package io.hooktally.service;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.hooktally.reconcile.job.SweepPlan;
import io.hooktally.reconcile.source.DurationReader;
import io.hooktally.reconcile.source.Problem;
import io.hooktally.store.run.RunMode;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
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
 * @param slice how much time a backfill looks at before a scheduled run gets its turn, where the
 *     source can be asked for a range; default 7 days
 */
public record ReconcileConfig(
    ZoneId zone,
    LocalTime at,
    RunMode mode,
    SweepPlan sweep,
    @JsonDeserialize(using = DurationReader.class) Duration lookback,
    @JsonDeserialize(using = DurationReader.class) Duration slice) {
  /** Fills in defaults. */
  public ReconcileConfig(
      @Nullable ZoneId zone,
      @Nullable LocalTime at,
      @Nullable RunMode mode,
      @Nullable SweepPlan sweep,
      @Nullable Duration lookback,
      @Nullable Duration slice) {
    this.zone = Objects.requireNonNullElse(zone, ZoneId.of("UTC"));
    this.at = Objects.requireNonNullElse(at, LocalTime.of(4, 30));
    this.mode = Objects.requireNonNullElse(mode, RunMode.FIX);
    this.sweep = Objects.requireNonNullElse(sweep, SweepPlan.MONTHLY);
    this.lookback = Objects.requireNonNullElse(lookback, Duration.ofDays(2));
    this.slice = Objects.requireNonNullElse(slice, Duration.ofDays(7));
  }

  List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    if (lookback.isNegative() || lookback.compareTo(Duration.ofDays(366)) > 0) {
      problems.add(
          new Problem(
              "reconcile.lookback",
              lookback.toString(),
              "a duration from 0s to 366d",
              "Write for example 2d."));
    }
    if (slice.compareTo(Duration.ofMinutes(1)) < 0 || slice.compareTo(Duration.ofDays(3660)) > 0) {
      problems.add(
          new Problem(
              "reconcile.slice",
              slice.toString(),
              "a duration from 1m to 3660d",
              "Write for example 7d."));
    }
    return problems;
  }
}
