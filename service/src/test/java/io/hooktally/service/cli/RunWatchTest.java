package io.hooktally.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunPhase;
import io.hooktally.store.run.RunProgress;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunWatchTest {
  private static final Instant START = Instant.parse("2026-11-02T04:30:00Z");
  private static final Instant FROM = Instant.parse("2026-11-01T00:00:00Z");

  private static Run run(RunPhase phase, Instant reached) {
    return new Run(
        7,
        "shop",
        "order",
        RunReason.MANUAL,
        RunMode.FIX,
        RunState.RUNNING,
        "test",
        null,
        FROM,
        FROM.plus(Duration.ofDays(1)),
        START,
        null,
        3000,
        List.of(),
        List.of(),
        null,
        false,
        0,
        false,
        null,
        new RunProgress(phase, 15, reached, 17, 1000, Duration.ZERO));
  }

  @Test
  void saysPagesRowsRateAndTheTimeLeft() {
    Run quarter = run(RunPhase.LISTING, FROM.plus(Duration.ofHours(18)));
    assertThat(RunWatch.text(quarter, START.plusSeconds(30)))
        .isEqualTo("listing, 15 pages, 3000 rows, 100 rows/s, about PT1M30S left");
  }

  @Test
  void promisesNoTimeWhereItKnowsNone() {
    assertThat(RunWatch.text(run(RunPhase.CONFIRMING, FROM), START.plusSeconds(30)))
        .isEqualTo("confirming, 15 pages, 3000 rows, 100 rows/s");
  }
}
