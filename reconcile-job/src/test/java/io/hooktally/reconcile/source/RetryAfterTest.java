package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-10-21T07:27:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "120 | PT2M",
        "120.1 | PT2M0.1S",
        "0 | PT0S",
        "Wed, 21 Oct 2026 07:28:00 GMT | PT1M",
        "Wednesday, 21-Oct-26 07:28:00 GMT | PT1M",
        "Wed Oct 21 07:28:00 2026 | PT1M",
        "Wed, 21 Oct 2026 06:28:00 GMT | PT0S",
        "99999999999 | PT8760H",
        "99999999999999999999999 | PT8760H",
      })
  void readsEverySpelling(String header, Duration wait) {
    assertThat(RetryAfter.parse(header, NOW)).contains(wait);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-1", "invalid", "", "soon", "1e9", "NaN", "Wed, 99 Oct 2026 07:28:00 GMT"})
  void passesOverGarbage(String header) {
    assertThat(RetryAfter.parse(header, NOW)).isEmpty();
  }

  @Test
  void waitsAtLeastAStepAndAtMostTheBound() {
    Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(2), new Random(7));
    assertThat(backoff.before(1, null)).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1500));
    assertThat(backoff.before(3, null)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6));
    assertThat(backoff.before(60, null)).isEqualTo(Duration.ofMinutes(2));
    assertThat(backoff.before(1, Duration.ZERO)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    assertThat(backoff.before(1, Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(30));
    assertThat(backoff.before(1, Duration.ofDays(365))).isEqualTo(Duration.ofMinutes(2));
  }
}
