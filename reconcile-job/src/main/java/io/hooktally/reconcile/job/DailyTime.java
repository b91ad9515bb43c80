package io.hooktally.reconcile.job;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;

/**
 * A time of day in a zone, once per calendar day: where the day has no such time (the clock springs
 * forward), the moment is as much later as the gap is long; where it has it twice, the first.
 *
 * @param at the time of day
 * @param zone in which days and times are
 */
public record DailyTime(LocalTime at, ZoneId zone) {
  /**
   * A day's turn.
   *
   * @param day the calendar day
   * @param moment from when on its run is due
   */
  public record Turn(LocalDate day, Instant moment) {}

  /** The last turn that has come. */
  public Turn last(Instant now) {
    LocalDate today = LocalDate.ofInstant(now, zone);
    Turn turn = of(today);
    return turn.moment().isAfter(now) ? of(today.minusDays(1)) : turn;
  }

  Turn of(LocalDate day) {
    return new Turn(day, day.atTime(at).atZone(zone).toInstant());
  }
}
