package io.hooktally.reconcile;

import static io.hooktally.reconcile.Shop.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.run.Watermarks;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs over everything: the sweep, and the loading of a new store. */
class SweepIT {
  private static final Instant OLD = Instant.parse("2020-02-01T00:00:00Z");

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(database.get().jdbi());
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private void ghost(String id, Instant modified) {
    shop.source.put(id, modified);
    shop.sync(id);
    shop.source.delete(id);
  }

  @Test
  void deletionsOfOldEntitiesAreFoundByNothingElse() {
    shop.fill(30);
    ghost("ancient", OLD);
    shop.source.put("unknown", OLD.plusSeconds(1));
    assertThat(shop.scheduled().agrees()).isTrue();
    Instant mark = watermark();

    RunReport sweep = shop.sweep();

    assertThat(sweep.state()).isEqualTo(RunState.DONE);
    assertThat(sweep.run().listed()).isEqualTo(31);
    assertThat(shop.states(sweep.id())).containsOnlyKeys("ancient", "unknown");
    assertThat(sweep.counts().fixed()).isEqualTo(2);
    assertThat(shop.ours("ancient").deleted()).isTrue();
    assertThat(watermark()).isEqualTo(mark);
    assertThat(shop.source.requests()).anyMatch(request -> request.contains("created_at.desc"));
    assertThat(shop.sweep().agrees()).isTrue();
  }

  @Test
  void rowsWithoutAModifiedTimeAreSweptToo() {
    shop.fill(30);
    ghost("timeless", OLD);
    shop.corrupt("timeless", "modified_second = null, modified_nano = null");
    assertThat(shop.states(shop.sweep().id())).containsEntry("timeless", SuspectState.FIXED);
  }

  @Test
  void whatIsUpdatedOrCreatedDuringASweepIsNoDisagreement() {
    IntStream.range(0, 450).forEach(i -> shop.source.put("o" + i, DAY.plusSeconds(i)));
    IntStream.range(0, 450).forEach(i -> shop.sync("o" + i));
    shop.source.afterEachPage(
        () -> {
          shop.source.change("o7", shop.clock.instant(), "status", "completed");
          shop.sync("o7");
          String id = "new" + shop.source.requests().size();
          shop.source.put(id, shop.clock.instant());
          shop.sync(id);
        });
    RunReport sweep = shop.sweep();
    assertThat(sweep.state()).isEqualTo(RunState.DONE);
    assertThat(sweep.counts().found()).isZero();
  }

  @Test
  void massDeletionsFoundByASweepWaitForAPerson() {
    shop.fill(30);
    IntStream.range(0, 11).forEach(i -> ghost("ghost" + i, OLD.plusSeconds(i)));
    assertThat(shop.sweep().counts().heldBack()).isEqualTo(11);
  }

  @Test
  void aNewStoreIsLoadedByOneRunAndTheScheduleGoesOnFromThere() {
    IntStream.range(0, 250).forEach(i -> shop.source.put("o" + i, OLD.plusSeconds(i)));
    shop.source.put("today", Shop.NOW.minus(Duration.ofHours(1)));
    shop.source.put("unsettled", Shop.NOW.minusSeconds(1));

    RunReport backfill = shop.run(name -> RunRequest.backfillAll(name, "order", RunMode.FIX));

    assertThat(backfill.counts().loaded()).isEqualTo(251);
    assertThat(backfill.counts().found()).isZero();
    assertThat(shop.alerts()).isEmpty();
    assertThat(watermark()).isEqualTo(backfill.run().to());
    assertThat(shop.scheduled().counts().fixed()).as("the one that came since").isEqualTo(1);
    assertThat(shop.sweep().agrees()).isTrue();
  }

  @Test
  void aListByCreatedTimeReachesBackAsFarAsEntitiesStillChange() {
    shop.configure("{\"list\": {\"by\": \"created\", \"editReach\": \"30d\"}}");
    // It cannot sort by anything else.
    shop.source.fault(
        (path, query, number) ->
            query.getOrDefault("order", "created_at.desc").equals("created_at.desc")
                ? Optional.empty()
                : Optional.of(Response.json(400, "{}")));
    shop.fill(30);
    shop.source.put("week", DAY.minus(Duration.ofDays(7)));
    shop.source.put("year", OLD);
    shop.sync("week");
    shop.sync("year");
    shop.source.change("week", DAY.plusSeconds(9), "status", "completed");
    shop.source.change("year", DAY.plusSeconds(9), "status", "completed");
    ghost("ghost", DAY.plusSeconds(3));

    RunReport report = shop.scheduled();

    assertThat(shop.states(report.id())).containsOnlyKeys("week", "ghost");
    assertThat(report.counts().fixed()).isEqualTo(2);
    assertThat(shop.states(shop.sweep().id())).as("beyond the reach").containsOnlyKeys("year");
  }

  private Instant watermark() {
    return new Watermarks(shop.jdbi).find("shop", "order").orElseThrow();
  }
}
