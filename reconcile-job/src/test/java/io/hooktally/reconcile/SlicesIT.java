package io.hooktally.reconcile;

import static io.hooktally.reconcile.Shop.DAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.RunSum;
import io.hooktally.store.run.Runs;
import io.hooktally.store.run.Sums;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Backfills in slices of time, newest first, where the source takes ranges. */
class SlicesIT {
  private static final String RANGES =
      """
      {"list": {"path": "/v1/orders", "fromParam": "from", "toParam": "to"},
       "sums": [{"field": "/grand_total"}]}
      """;
  private static final LocalDate TODAY = LocalDate.of(2026, 5, 11);

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(database.get().jdbi());
    shop.source.takesRange();
    shop.configure(RANGES);
    // One order a day, forty days back.
    for (int i = 0; i < 40; i++) {
      shop.source.put("o" + i, DAY.minus(Duration.ofDays(i)));
    }
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private RunReport backfill() {
    return shop.run(
        name ->
            RunRequest.backfill(
                name,
                "order",
                new Window(DAY.minus(Duration.ofDays(34)), DAY.plus(Duration.ofDays(1))),
                RunMode.FIX));
  }

  private List<String> ranges() {
    return shop.source.requests().stream()
        .filter(request -> request.contains("to=") && request.contains("from="))
        .map(request -> request.replaceAll(".*[?&]from=(\\d+-\\d+-\\d+).*", "$1"))
        .distinct()
        .toList();
  }

  private Run run(long id) {
    return new Runs(shop.jdbi).find(id).orElseThrow();
  }

  private String sum(long id) {
    RunSum sum = new Sums(shop.jdbi).list(id, 10).get(0);
    return sum.theirs().stripTrailingZeros().toPlainString()
        + " "
        + sum.after().stripTrailingZeros().toPlainString();
  }

  private void breakReadsOf(String id) {
    shop.source.fault(
        (path, query, number) ->
            path.endsWith("/" + id) ? Optional.of(Response.json(401, "{}")) : Optional.empty());
  }

  @Test
  void aBackfillIsCutIntoSlicesNewestFirst() {
    RunReport report = backfill();
    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(report.counts().loaded()).isEqualTo(35);
    assertThat(run(report.id()).listed()).isEqualTo(35);
    assertThat(shop.replica.find(shop.key("o35"))).as("beyond its window").isEmpty();
    // A second more is asked for, so that nothing is lost at a border.
    assertThat(ranges())
        .containsExactly("2026-05-03", "2026-04-26", "2026-04-19", "2026-04-12", "2026-04-05");
    assertThat(sum(report.id())).isEqualTo("367.5 367.5");
  }

  @Test
  void aSliceWithoutRowsIsNoIncompleteListBecauseAnotherHidesOne() {
    shop.sync("o2");
    shop.source.show(order -> !order.get("id").textValue().equals("o2"));
    for (int i = 10; i < 40; i++) {
      shop.source.delete("o" + i);
    }

    RunReport report = backfill();

    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(shop.ours("o2").deleted()).isFalse();
  }

  @Test
  void withoutRangesItIsOneSlice() {
    shop.configure("{}");
    assertThat(backfill().counts().loaded()).isEqualTo(35);
    assertThat(ranges()).isEmpty();
  }

  @Test
  void aBackfillOfAllReachesTheBeginningInFewSlices() {
    shop.source.put("old", Instant.parse("1999-12-31T23:59:59Z"));
    RunReport report = shop.run(name -> RunRequest.backfillAll(name, "order", RunMode.FIX));
    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(report.counts().loaded()).isEqualTo(41);
    assertThat(shop.source.requests().stream().filter(request -> request.contains("to=")).count())
        .isLessThan(40);
  }

  @Test
  void aBackfillThatIsTakenUpAgainGoesOnAtTheNextSlice() {
    breakReadsOf("o20");
    RunReport failed = backfill();
    assertThat(failed.state()).isEqualTo(RunState.FAILED);
    assertThat(run(failed.id()).slicedTo()).isEqualTo(DAY.minus(Duration.ofDays(13)));
    shop.source.noFaults();
    int before = shop.source.requests().size();

    RunReport report = shop.reconciler("other").resume(failed.id()).complete();

    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(report.counts().loaded()).isEqualTo(35);
    assertThat(run(report.id()).listed()).isEqualTo(35);
    assertThat(sum(report.id())).isEqualTo("367.5 367.5");
    assertThat(shop.source.requests().subList(before, shop.source.requests().size()))
        .noneMatch(request -> request.contains("from=2026-05-03"))
        .noneMatch(request -> request.contains("from=2026-04-26"));
  }

  @Test
  void itIsTakenUpAgainAlsoWhenOtherRunsTookPlaceSince() {
    breakReadsOf("o20");
    RunReport failed = backfill();
    shop.source.noFaults();
    assertThat(shop.scheduled().state()).isEqualTo(RunState.DONE);

    RunReport report = shop.reconciler("other").resume(failed.id()).complete();

    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(report.counts().loaded()).isEqualTo(35);
    assertThat(report.counts().residual()).isZero();
  }

  @Test
  void aScheduledRunThatWaitsGoesFirstBetweenTwoSlices() {
    RunRequest daily = RunRequest.scheduled("shop", "order", RunMode.FIX, TODAY);
    List<RunReport> scheduled = new ArrayList<>();
    AtomicInteger pages = new AtomicInteger();
    shop.source.afterEachPage(
        () -> {
          // The page before is the probe's.
          if (pages.incrementAndGet() == 2) {
            assertThatThrownBy(() -> shop.reconciler("daily").run(daily))
                .isInstanceOf(LeaseHeldException.class);
          }
        });
    shop.whilePaused =
        () -> {
          if (scheduled.isEmpty()
              && new Runs(shop.jdbi)
                  .list(Long.MAX_VALUE, 1).stream().anyMatch(run -> run.slicedTo() != null)) {
            shop.whilePaused = () -> {};
            scheduled.add(shop.reconciler("daily").run(daily));
          }
        };

    RunReport report = backfill();

    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(scheduled).hasSize(1);
    assertThat(scheduled.get(0).state()).isEqualTo(RunState.DONE);
    assertThat(run(scheduled.get(0).id()).endedAt()).isBefore(run(report.id()).endedAt());
    assertThat(report.counts().loaded()).isEqualTo(35);
  }

  @Test
  void theGuardsCountAllSlicesTogether() {
    backfill();
    // Two in each of the last weeks; eleven in all are more than ten.
    for (int i = 0; i < 33; i += 3) {
      shop.source.delete("o" + i);
    }
    RunReport report = backfill();
    assertThat(report.run().reason()).isEqualTo(RunReason.BACKFILL);
    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(report.counts().fixed()).isPositive().isLessThanOrEqualTo(10);
    assertThat(report.counts().heldBack()).isPositive();
    assertThat(report.counts().fixed() + report.counts().heldBack()).isEqualTo(11);
  }
}
