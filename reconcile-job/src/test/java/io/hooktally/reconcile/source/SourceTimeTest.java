package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourceTimeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-05-11T12:26:37.13Z",
        "2026-05-11T12:26:37.130Z",
        "2026-05-11t12:26:37.13z",
        "2026-05-11T14:26:37.130+02:00",
        "2026-05-11T14:26:37.1300000+0200",
        "2026-05-11T14:26:37.13+02",
        "2026-05-11T12:26:37.130-00:00",
        "2026-05-11T12:26:37.130000000Z",
        "2026-05-11T12:26:37.130000000000Z",
        "2026-05-11T12:26:37.1300000000000009Z",
        "2026-05-11 12:26:37.13 UTC",
        "2026-05-11 12:26:37,13 +0000",
      })
  void oneInstantManySpellings(String text) {
    assertThat(SourceTime.read(text)).contains(Instant.parse("2026-05-11T12:26:37.130Z"));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-05-11T12:26:37.123456789Z, 2026-05-11T12:26:37.123456789Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z, 9999-12-31T23:59:59.999999999Z",
    "2026-05-11T00:26:37-11:30, 2026-05-11T11:56:37Z",
    "2026-05-11T12:26:37+18:00, 2026-05-10T18:26:37Z",
    "2024-02-29T23:59:60Z, 2024-02-29T23:59:59Z"
  })
  void keepsFullPrecision(String text, Instant instant) {
    assertThat(SourceTime.read(text)).contains(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-05-11",
        "2026-05-11T12:26:37",
        "2026-13-11T12:26:37Z",
        "2026-02-30T12:26:37Z",
        "0000-05-11T12:26:37Z",
        "2026-05-11T12:26:37+25:00",
        "2026-05-11T12:26:37+18:01",
        "2026-05-11T12:26:37+01:60",
        "2026-05-11T12:26:37+1:00",
        "2026-05-11T12:26:37.Z",
        "2026-05-11T12:26:37.13",
        "2026-05-11T12:26:37Zx",
        "2026-05-11T12:26:37  Z",
        "2026-05-11T24:00:00Z",
        "2026-05-11T12:60:00Z",
        "2026-05-11T12:26:61Z",
        "2026-05-11T12:26:3٧Z",
        "20260511T122637Z",
        "1778502397130"
      })
  void whatIsNoTimeIsNone(String text) {
    assertThat(SourceTime.read(text)).isEmpty();
  }
}
