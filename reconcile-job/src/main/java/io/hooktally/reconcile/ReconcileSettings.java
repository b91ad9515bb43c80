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
 */
public record ReconcileSettings(ZoneId zone, Duration lookback, Duration lease) {
  /** Two days of lookback, leases of two minutes. */
  public static ReconcileSettings in(ZoneId zone) {
    return new ReconcileSettings(zone, Duration.ofDays(2), Duration.ofMinutes(2));
  }
}
