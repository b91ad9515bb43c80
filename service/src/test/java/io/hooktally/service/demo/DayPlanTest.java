package io.hooktally.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo's day. */
class DayPlanTest {
  private static final Instant DAY = Instant.parse("2026-11-30T00:00:00Z");

  @Test
  void theSameSeedGivesTheSameDay() {
    assertThat(told(new DayPlan(DAY, 80, 7))).isEqualTo(told(new DayPlan(DAY, 80, 7)));
    assertThat(told(new DayPlan(DAY, 80, 7))).isNotEqualTo(told(new DayPlan(DAY, 80, 8)));
  }

  @ParameterizedTest
  @ValueSource(ints = {50, 300, 1000})
  void loseSomeDeleteFewAndStayWithinTheDay(int orders) {
    DayPlan plan = new DayPlan(DAY, orders, orders);

    assertThat(plan.lost()).isPositive().isLessThan(plan.events() / 4);
    assertThat(plan.deleted()).hasSizeBetween(2, 8);
    for (int wave = 0; wave < LifeCycle.WAVES; wave++) {
      assertThat(plan.changes(wave))
          .allMatch(step -> !step.at().isBefore(DAY))
          .allMatch(step -> step.at().isBefore(DAY.plus(Duration.ofDays(1))));
    }
  }

  private static List<String> told(DayPlan plan) {
    List<String> day = new ArrayList<>();
    for (int wave = 0; wave < LifeCycle.WAVES; wave++) {
      plan.changes(wave).forEach(step -> day.add(step.toString()));
      plan.deliveries(wave).forEach(event -> day.add(event.toString()));
    }
    return day;
  }
}
