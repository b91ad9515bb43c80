package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SourceBudgetTest {
  private final AtomicLong nanos = new AtomicLong();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  private SourceBudget budget(double perSecond, int concurrency) {
    ApiConfig api =
        new ApiConfig(
            "http://127.0.0.1",
            Map.of(),
            Map.of(),
            null,
            null,
            null,
            Duration.ofSeconds(1),
            Duration.ofMinutes(2),
            perSecond,
            concurrency,
            null);
    return new SourceBudget("shop", api, nanos::get);
  }

  private static Asker asker(Priority priority) {
    return new Asker(priority, Duration.ofDays(1), new Meter());
  }

  private static Asker impatient() {
    return new Asker(Priority.LIVE, Duration.ZERO, new Meter());
  }

  private void tick(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  @Test
  void theMostUrgentGoesFirstAndAmongEqualsWhoWaitsLongest() throws Exception {
    SourceBudget budget = budget(0, 1);
    assertThat(budget.enter(asker(Priority.BACKFILL))).isEmpty();
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    List<Priority> arriving =
        List.of(
            Priority.BACKFILL,
            Priority.RECONCILE,
            Priority.LIVE,
            Priority.RECONCILE,
            Priority.LIVE);
    CountDownLatch done = new CountDownLatch(arriving.size());
    for (int i = 0; i < arriving.size(); i++) {
      String name = arriving.get(i) + "-" + i;
      Asker asker = asker(arriving.get(i));
      threads.execute(
          () -> {
            try {
              assertThat(budget.enter(asker)).isEmpty();
              order.add(name);
              budget.leave();
              done.countDown();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      int waiting = i + 1;
      await().until(() -> budget.waiting() == waiting);
    }
    budget.leave();
    done.await();
    assertThat(order)
        .containsExactly("LIVE-2", "LIVE-4", "RECONCILE-1", "RECONCILE-3", "BACKFILL-0");
  }

  @Test
  void neverMoreAtOnceThanConfigured() throws Exception {
    SourceBudget budget = budget(0, 3);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch threeInside = new CountDownLatch(3);
    CountDownLatch done = new CountDownLatch(20);
    for (int i = 0; i < 20; i++) {
      threads.execute(
          () -> {
            try {
              assertThat(budget.enter(asker(Priority.RECONCILE))).isEmpty();
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              threeInside.countDown();
              threeInside.await();
              now.decrementAndGet();
              budget.leave();
              done.countDown();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    done.await();
    assertThat(most).hasValue(3);
  }

  @Test
  void aHoldKeepsEverybodyOutUntilItIsOver() throws Exception {
    SourceBudget budget = budget(0, 4);
    budget.hold(Duration.ofSeconds(90));
    assertThat(budget.enter(impatient())).contains(Duration.ofSeconds(90));
    tick(Duration.ofSeconds(89));
    assertThat(budget.enter(impatient())).contains(Duration.ofSeconds(1));
    tick(Duration.ofSeconds(1));
    assertThat(budget.enter(impatient())).isEmpty();
  }

  @Test
  void aHoldIsNeverShorterThanABackoffAndNeverLongerThanTheLongest() throws Exception {
    SourceBudget budget = budget(0, 4);
    budget.hold(Duration.ZERO);
    assertThat(budget.enter(impatient()).orElseThrow())
        .isBetween(Duration.ofSeconds(1), Duration.ofMillis(1500));
    tick(Duration.ofSeconds(2));
    budget.hold(Duration.ofDays(365));
    assertThat(budget.enter(impatient())).contains(Duration.ofMinutes(2));
    tick(Duration.ofMinutes(2));
    budget.usedUp(Duration.ofDays(365));
    assertThat(budget.enter(impatient())).contains(Duration.ofMinutes(2));
  }

  @Test
  void refusalsInARowDoubleTheHoldAndAnAnswerEndsTheRow() throws Exception {
    SourceBudget budget = budget(0, 4);
    budget.hold(null);
    budget.hold(null); // of a request that was on its way: no further one in the row
    tick(Duration.ofSeconds(2));
    budget.hold(null);
    assertThat(budget.enter(impatient()).orElseThrow())
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
    tick(Duration.ofSeconds(4));
    budget.answered();
    budget.hold(null);
    assertThat(budget.enter(impatient()).orElseThrow())
        .isBetween(Duration.ofSeconds(1), Duration.ofMillis(1500));
  }

  @Test
  void aShorterHoldDoesNotEndALongerOne() throws Exception {
    SourceBudget budget = budget(0, 4);
    budget.usedUp(Duration.ofMinutes(1));
    budget.usedUp(Duration.ofSeconds(5));
    budget.hold(null);
    assertThat(budget.enter(impatient())).contains(Duration.ofMinutes(1));
  }

  @Test
  void requestsAreSpreadOverTheSecondAndTheWaitIsCounted() throws Exception {
    SourceBudget budget = new Real(20).budget();
    Meter meter = new Meter();
    long start = System.nanoTime();
    for (int i = 0; i < 5; i++) {
      assertThat(budget.enter(new Asker(Priority.LIVE, Duration.ZERO, meter))).isEmpty();
      budget.leave();
    }
    long took = System.nanoTime() - start;
    // Five take at least four intervals less the part of the first that was over.
    assertThat(Duration.ofNanos(took)).isGreaterThanOrEqualTo(Duration.ofMillis(150));
    assertThat(meter.usage().throttled()).isBetween(Duration.ofMillis(100), Duration.ofNanos(took));
  }

  /** By the machine's clock. */
  private record Real(double perSecond) {
    SourceBudget budget() {
      ApiConfig api =
          new ApiConfig(null, null, null, null, null, null, null, null, perSecond, 4, null);
      return new SourceBudget("shop", api, System::nanoTime);
    }
  }

  @Test
  void aPlaceInThePaceGoesToTheMostUrgent() throws Exception {
    SourceBudget budget = budget(0.01, 4);
    assertThat(budget.enter(asker(Priority.BACKFILL))).isEmpty();
    List<Priority> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch first = new CountDownLatch(1);
    for (Priority priority : List.of(Priority.RECONCILE, Priority.LIVE)) {
      threads.execute(
          () -> {
            try {
              assertThat(budget.enter(asker(priority))).isEmpty();
              order.add(priority);
              first.countDown();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      await().until(() -> budget.waiting() == (priority == Priority.RECONCILE ? 1 : 2));
    }
    tick(Duration.ofSeconds(100));
    budget.leave(); // wakes those who wait
    first.await();
    assertThat(order).containsExactly(Priority.LIVE);
    assertThat(budget.waiting()).isEqualTo(1);
  }

  @Test
  void whoIsInterruptedLeavesTheQueue() throws Exception {
    SourceBudget budget = budget(0, 1);
    budget.hold(Duration.ofSeconds(90));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> budget.enter(asker(Priority.LIVE)))
        .isInstanceOf(InterruptedException.class);
    assertThat(budget.waiting()).isZero();
  }
}
