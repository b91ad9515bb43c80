package io.hooktally.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the platform knows to differ, from its own changes and answers alone. */
class SimulatedPlatformTest {
  private static final Instant DAY = Instant.parse("2026-11-30T00:00:00Z");

  private final SimulatedPlatform platform = new SimulatedPlatform();
  private final LifeCycle lives = new LifeCycle(DAY, new Random(1));
  private Step placed;
  private Step next;

  @BeforeEach
  void anOrder() {
    List<Step> life = lives.live(1);
    placed = life.get(0);
    next = life.get(1);
    platform.change(placed.after());
  }

  @Test
  void anOrderThatWasNeverServedIsMissing() {
    assertThat(platform.injected()).containsEntry(placed.orderId(), Kind.MISSING).hasSize(1);
  }

  @Test
  void anOrderServedAsItIsDoesNotDiffer() {
    platform.read(placed.orderId());

    assertThat(platform.injected()).isEmpty();
    assertThat(platform.inStep()).containsExactly(placed.orderId());
  }

  @Test
  void anOrderChangedSinceItWasServedIsStale() {
    platform.read(placed.orderId());
    platform.change(next.after());

    assertThat(platform.injected()).containsEntry(placed.orderId(), Kind.STALE);
    assertThat(platform.inStep()).isEmpty();
  }

  @Test
  void anOrderChangedWithinTheSameSecondIsDifferent() {
    platform.read(placed.orderId());
    Step again = lives.again(placed);
    platform.change(again.after());

    assertThat(again.after().updatedAt()).isEqualTo(placed.after().updatedAt());
    assertThat(platform.injected()).containsEntry(placed.orderId(), Kind.DIFFERENT);
  }

  @Test
  void whatTheListDoesNotCarryCannotDiffer() {
    platform.read(placed.orderId());
    OrderState shipped =
        placed.after().changed(placed.at(), order -> order.shipments().addObject().put("a", 1));
    platform.change(shipped);

    assertThat(shipped).isNotEqualTo(placed.after());
    assertThat(platform.injected()).isEmpty();
  }

  @Test
  void anOrderDeletedAfterItWasServedIsExtraUntilItsAbsenceWasServed() {
    platform.read(placed.orderId());
    platform.delete(placed.orderId());
    assertThat(platform.injected()).containsEntry(placed.orderId(), Kind.EXTRA);

    platform.read(placed.orderId());
    assertThat(platform.injected()).isEmpty();
  }
}
