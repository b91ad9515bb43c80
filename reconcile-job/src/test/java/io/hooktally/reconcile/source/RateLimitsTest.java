package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitsTest {
  private static final Instant NOW = Instant.parse("2026-10-21T07:28:00Z");

  private static @Nullable Duration usedUp(String... namesAndValues) {
    return RateLimits.usedUp(Headers.of(namesAndValues), NOW).orElse(null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=100, remaining=0, reset=30",
        "limit=100,remaining=0,reset=30",
        "\"default\";r=0;t=30",
        "\"burst\";r=5;t=900, \"day\";r=0;t=30",
        "\"burst\";r=0;t=3, \"day\";r=0;t=30",
        "default;r=0;t=30",
      })
  void theCombinedHeaderSaysThatTheLimitIsUsedUp(String header) {
    assertThat(usedUp("RateLimit", header)).isEqualTo(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=100, remaining=50, reset=30",
        "\"default\";r=50;t=30",
        "100",
        "",
        "remaining=0",
        "remaining=x, reset=30"
      })
  void aLimitThatIsNotUsedUpHoldsNobody(String header) {
    assertThat(usedUp("RateLimit", header)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30|30",
        "30.9|30",
        "0|0",
        "1792567710|30",
        "1792567710000|30",
        "2026-10-21T07:28:30Z|30",
        "Wed, 21 Oct 2026 07:28:30 GMT|30",
        "Wed, 21 Oct 2026 06:28:30 GMT|0",
      })
  void resetsAreSecondsOrPointsInTime(String reset, long seconds) {
    for (String prefix : new String[] {"RateLimit-", "X-RateLimit-", "x-ratelimit-"}) {
      assertThat(usedUp(prefix + "Remaining", "0", prefix + "Reset", reset))
          .isEqualTo(Duration.ofSeconds(seconds));
    }
  }

  @Test
  void whatCannotBeReadIsNotBelieved() {
    assertThat(usedUp("X-RateLimit-Remaining", "0")).isNull();
    assertThat(usedUp("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "soon")).isNull();
    assertThat(usedUp("X-RateLimit-Remaining", "17", "X-RateLimit-Reset", "30")).isNull();
    assertThat(usedUp("X-RateLimit-Remaining", "none", "X-RateLimit-Reset", "30")).isNull();
    assertThat(usedUp("X-RateLimit-Reset", "30")).isNull();
  }
}
