package io.hooktally.reconcile;

import java.time.Duration;
import java.time.ZoneId;

/**
 * How runs are done, whatever the source.
 *
 * @param zone in which days begin
 * @param lookback how far before the watermark a scheduled run begins
 * @param lease how long a run that died keeps others out; renewed three times as often while it
 *     lives
 * @param slice how much time a backfill looks at before others get their turn, where the source can
 *     be asked for a range
 */
public record ReconcileSettings(ZoneId zone, Duration lookback, Duration lease, Duration slice) {
  /** Two days of lookback, leases of two minutes, slices of seven days. */
  public static ReconcileSettings in(ZoneId zone) {
    return new ReconcileSettings(
        zone, Duration.ofDays(2), Duration.ofMinutes(2), Duration.ofDays(7));
  }
}
