package io.hooktally.reconcile.drift;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;

/**
 * Where and when a day happens, and how the source behaves, drawn from a seed.
 *
 * @param now the source's now
 * @param zone in which days begin
 * @param skew how far the source's clock is ahead of ours
 * @param lag how far its API is behind its own webhooks
 * @param pageSize of its list
 * @param pastEnd whether the run looks at a window that ended, instead of following the watermark
 * @param faultless whether nothing goes wrong that day
 * @param says what its list says of itself: total, hasMore, echo
 */
record Setting(
    Instant now,
    ZoneId zone,
    Duration skew,
    Duration lag,
    int pageSize,
    boolean pastEnd,
    boolean faultless,
    int says,
    int notation) {
  private record Place(String now, String zone) {}

  // Plain days, days of 23 and 25 hours, days that begin at one o'clock.
  private static final List<Place> PLACES =
      List.of(
          new Place("2026-05-11T12:00:00Z", "UTC"),
          new Place("2026-05-11T12:00:00Z", "Asia/Kolkata"),
          new Place("2026-03-30T10:00:00Z", "Europe/Berlin"),
          new Place("2026-10-26T10:00:00Z", "Europe/Berlin"),
          new Place("2026-04-25T09:00:00Z", "Africa/Cairo"),
          new Place("2026-09-07T12:00:00Z", "America/Santiago"),
          new Place("2026-03-30T09:00:00Z", "Asia/Beirut"));
  private static final List<Duration> SKEWS =
      List.of(
          Duration.ZERO,
          Duration.ofSeconds(37),
          Duration.ofSeconds(-37),
          Duration.ofMinutes(90),
          Duration.ofMinutes(-90));
  private static final List<Duration> LAGS =
      List.of(Duration.ZERO, Duration.ZERO, Duration.ofMillis(300), Duration.ofMillis(900));

  static Setting of(long seed, Random random) {
    Place place = PLACES.get(random.nextInt(PLACES.size()));
    return new Setting(
        Instant.parse(place.now()),
        ZoneId.of(place.zone()),
        SKEWS.get(random.nextInt(SKEWS.size())),
        LAGS.get(random.nextInt(LAGS.size())),
        5 + random.nextInt(36),
        random.nextInt(3) == 0,
        seed % 5 == 0,
        random.nextInt(4),
        random.nextInt(4));
  }

  /** Where yesterday began: there a first scheduled run begins. */
  Instant from() {
    return now.atZone(zone).toLocalDate().minusDays(1).atStartOfDay(zone).toInstant();
  }

  /** The end of a window that ended: before that all of the day's changes happen. */
  Instant to() {
    return now.minus(Duration.ofMinutes(30));
  }
}
