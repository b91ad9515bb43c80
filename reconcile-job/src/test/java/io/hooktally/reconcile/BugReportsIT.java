package io.hooktally.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.Watermarks;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs through what other reconciliations were reported to get wrong. */
class BugReportsIT {
  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(database.get().jdbi());
    shop.configure("{\"list\": {\"path\": \"/v1/orders\", \"pageSize\": 10}}");
  }

  @AfterEach
  void close() {
    shop.close();
  }

  /** Five pages, the third of which is bad: nothing is deleted, the window is covered again. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"items\": [{\"id\": \"o2",
        "{\"items\": [], \"page\": {\"hasMore\": true}}",
        "{\"ok\": false, \"error\": \"invalid_auth\"}",
        "{\"errors\": [{\"message\": \"x\"}], \"data\": null}",
        "<html>login</html>",
        "{}",
        "null",
        ""
      })
  void aPageThatIsNoneInTheMiddleDeletesNothing(String body) {
    shop.fill(50);
    shop.source.put("ghost", Shop.DAY.plusSeconds(1));
    shop.sync("ghost");
    shop.source.delete("ghost");
    shop.source.fault(
        (path, query, number) ->
            Integer.parseInt(query.getOrDefault("offset", "0")) >= 20
                ? Optional.of(Response.json(200, body))
                : Optional.empty());

    RunReport report = shop.scheduled();

    assertThat(report.state()).isEqualTo(RunState.FAILED);
    assertThat(report.run().error()).contains("shop");
    assertThat(shop.ours("ghost").deleted()).isFalse();
    assertThat(new Watermarks(shop.jdbi).find("shop", "order")).isEmpty();
    assertThat(shop.alerts()).hasSize(1);
    shop.source.noFaults();
    assertThat(shop.scheduled().counts().fixed()).isEqualTo(1);
    assertThat(shop.ours("ghost").deleted()).isTrue();
  }

  /** A page that is on its way while the live way brings newer states of its rows. */
  @Test
  void aPageOlderThanWhatTheLiveWayBroughtMeanwhileChangesNothing() {
    shop.fill(30);
    Instant before = Shop.DAY.plus(Duration.ofMinutes(3));
    AtomicInteger pages = new AtomicInteger();
    shop.source.afterEachPage(
        () -> {
          // the first is the probe's
          if (pages.incrementAndGet() == 4) {
            shop.source.change("o2", Shop.NOW, "status", "completed");
            shop.sync("o2");
            // at the same modified time
            shop.source.change("o3", before, "status", "completed");
            shop.sync("o3");
          }
        });

    RunReport report = shop.scheduled();

    assertThat(report.state()).isEqualTo(RunState.DONE);
    assertThat(report.counts().found()).isZero();
    assertThat(shop.alerts()).isEmpty();
    assertThat(shop.ours("o2").body().get("status").asText()).isEqualTo("completed");
    assertThat(shop.ours("o3").body().get("status").asText()).isEqualTo("completed");
  }

  /** Whatever is fixed changes at the source once more and is announced: it ends there. */
  @Test
  void anEchoOfAFixEndsAfterOneRound() {
    shop.fill(10);
    shop.lose("o1", "o2");
    assertThat(shop.scheduled().counts().fixed()).isEqualTo(2);
    shop.alerts();
    shop.source.put("o1", shop.clock.instant());
    shop.sync("o1");
    shop.source.put("o2", shop.clock.instant());
    shop.sync("o2");
    for (int round = 0; round < 2; round++) {
      assertThat(shop.scheduled().agrees()).isTrue();
      assertThat(shop.alerts()).isEmpty();
      shop.clock.advance(Duration.ofDays(1));
    }
  }

  /** A body so deep that parsers overflow: this run fails, the next one runs. */
  @Test
  void aPageTooDeepToParseFailsThatRunAlone() {
    shop.fill(3);
    String deep = "[".repeat(100_000);
    shop.source.fault(
        (path, query, number) ->
            path.equals("/v1/orders")
                ? Optional.of(Response.json(200, "{\"items\": " + deep))
                : Optional.empty());
    RunReport report = shop.scheduled();
    assertThat(report.state()).isEqualTo(RunState.FAILED);
    assertThat(shop.alerts()).hasSize(1);
    shop.source.noFaults();
    assertThat(shop.scheduled().state()).isEqualTo(RunState.DONE);
  }
}
