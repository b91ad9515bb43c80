package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.source.SourceUnavailableException.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CircuitTest {
  private final SourceUnavailableException outage =
      new SourceUnavailableException(Kind.UNREACHABLE, "away", 0, null, null);

  private final AtomicLong nanos = new AtomicLong();
  // A backoff of 1 s, at most 2 min.
  private final Circuit circuit =
      new Circuit(
          "shop",
          new ApiConfig(null, null, null, null, null, null, null, null, null, null, null),
          nanos::get);

  private void outages(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(circuit.lets()).isTrue();
      circuit.away(outage);
    }
  }

  private void tick(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  @Test
  void opensAfterOutagesInARow() {
    outages(Circuit.OUTAGES - 1);
    assertThat(circuit.lets()).isTrue();
    circuit.away(outage);
    assertThat(circuit.lets()).isFalse();
  }

  @Test
  void oneAnswerInTheRowKeepsItClosed() {
    outages(Circuit.OUTAGES - 1);
    assertThat(circuit.lets()).isTrue();
    circuit.answered();
    outages(Circuit.OUTAGES - 1);
    assertThat(circuit.lets()).isTrue();
  }

  @Test
  void oneTrialAtATimeFindsTheSourceBack() {
    outages(Circuit.OUTAGES);
    tick(Duration.ofSeconds(9));
    assertThat(circuit.lets()).isFalse();
    tick(Duration.ofSeconds(2));
    assertThat(circuit.lets()).isTrue();
    assertThat(circuit.lets()).isFalse();
    circuit.answered();
    outages(Circuit.OUTAGES - 1);
    assertThat(circuit.lets()).isTrue();
  }

  @Test
  void aTrialThatFailsDoublesTheWaitUpToTheLongestBackoff() {
    outages(Circuit.OUTAGES);
    for (int seconds : new int[] {10, 20, 40, 80, 120, 120}) {
      tick(Duration.ofSeconds(seconds - 1));
      assertThat(circuit.lets()).as("after %d s", seconds - 1).isFalse();
      tick(Duration.ofSeconds(2));
      assertThat(circuit.lets()).as("after %d s", seconds + 1).isTrue();
      circuit.away(outage);
    }
  }

  @Test
  void aTrialThatWasNotMadeIsMadeByTheNext() {
    outages(Circuit.OUTAGES);
    tick(Duration.ofSeconds(11));
    assertThat(circuit.lets()).isTrue();
    circuit.unused();
    assertThat(circuit.lets()).isTrue();
  }
}
