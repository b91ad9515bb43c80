package io.hooktally.reconcile.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DailyTimeTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource({
    // the clock springs from 02:00 to 03:00
    "2026-03-29T01:29:59Z, 2026-03-28",
    "2026-03-29T01:30:00Z, 2026-03-29",
    // 02:30 is there twice
    "2026-10-25T00:29:59Z, 2026-10-24",
    "2026-10-25T00:30:00Z, 2026-10-25",
    "2026-10-25T01:30:00Z, 2026-10-25",
  })
  void daysOf23And25HoursHaveOneTurn(Instant now, LocalDate day) {
    assertThat(new DailyTime(LocalTime.of(2, 30), BERLIN).last(now).day()).isEqualTo(day);
  }

  @ParameterizedTest
  @CsvSource({"00:00", "02:00", "02:30", "03:00", "23:59"})
  void everyCalendarDayOfAYearHasOneTurn(LocalTime at) {
    for (String zone :
        List.of("Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "Australia/Lord_Howe")) {
      DailyTime time = new DailyTime(at, ZoneId.of(zone));
      List<LocalDate> days = new ArrayList<>();
      Instant now = Instant.parse("2017-12-31T12:00:00Z");
      while (now.isBefore(Instant.parse("2019-01-02T12:00:00Z"))) {
        LocalDate day = time.last(now).day();
        if (days.isEmpty() || !days.get(days.size() - 1).equals(day)) {
          days.add(day);
        }
        now = now.plus(Duration.ofMinutes(15));
      }
      assertThat(days).isSorted().doesNotHaveDuplicates().hasSizeBetween(366, 369);
      assertThat(days.get(days.size() - 1)).isEqualTo(days.get(0).plusDays(days.size() - 1L));
    }
  }

  @Test
  void theLastTurnIsYesterdaysUntilTodaysHasCome() {
    DailyTime time = new DailyTime(LocalTime.of(4, 30), BERLIN);
    assertThat(time.last(Instant.parse("2026-05-11T02:00:00Z")))
        .isEqualTo(
            new DailyTime.Turn(LocalDate.of(2026, 5, 10), Instant.parse("2026-05-10T02:30:00Z")));
  }
}
