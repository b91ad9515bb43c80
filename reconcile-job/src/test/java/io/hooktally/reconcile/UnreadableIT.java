package io.hooktally.reconcile;

import static io.hooktally.reconcile.Shop.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One entity that the source lists and cannot show keeps no other from being fixed. */
class UnreadableIT {
  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(database.get().jdbi());
    shop.fill(30);
    for (int i = 1; i <= 15; i++) {
      shop.source.change("o" + i, DAY.plus(Duration.ofHours(9)), "status", "completed");
    }
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private void answers(String ids, int status) {
    shop.source.fault(
        (path, query, number) ->
            path.matches(".*/orders/(" + ids + ")")
                ? Optional.of(Response.json(status, "{\"error\":\"private\"}"))
                : Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 400})
  void itIsReportedAsFailedAndLookedAtAgain(int status) {
    answers("o3", status);

    RunReport report = shop.scheduled();

    assertThat(report.state()).as(report.toString()).isEqualTo(RunState.DONE);
    assertThat(report.counts().fixed()).isEqualTo(14);
    assertThat(report.counts().failed()).isEqualTo(1);
    assertThat(report.counts().found()).isEqualTo(15);
    assertThat(report.counts().byKind()).containsEntry(Kind.STALE, 15L);
    assertThat(report.agrees()).isFalse();
    assertThat(shop.states(report.id())).containsEntry("o3", SuspectState.FAILED);
    assertThat(new OpenDisagreements(shop.jdbi).list("shop", "order", "", 10))
        .singleElement()
        .satisfies(
            one -> assertThat(one.note()).contains("could not be read").doesNotContain("private"));

    shop.source.noFaults();
    shop.scheduled();
    assertThat(new OpenDisagreements(shop.jdbi).open("shop", "order")).isZero();
    assertThat(shop.ours("o3").modified()).isEqualTo(DAY.plus(Duration.ofHours(9)));
  }

  @Test
  void whereHardlyAnyCanBeReadTheRunFails() {
    answers("o\\d+", 400);

    RunReport report = shop.scheduled();

    assertThat(report.state()).isEqualTo(RunState.FAILED);
    assertThat(report.run().error()).contains("single reads of order", "failed");
  }
}
