package io.hooktally.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.store.Lane;
import io.hooktally.store.replica.Change;
import io.hooktally.store.run.RunState;
import io.hooktally.store.testing.TestDatabase;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule 8: either side of every border between what is fixed and what waits for a person. */
class GuardThresholdsIT {
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

  private void both(String prefix, int rows) {
    shop.jdbi.useTransaction(
        handle -> {
          for (int i = 0; i < rows; i++) {
            Instant at = Shop.DAY.plusSeconds(i);
            String id = prefix + i;
            shop.source.put(id, at);
            Change change =
                new Change.Payload(
                    shop.key(id), at, shop.source.aggregate(id), Lane.LIVE, null, Shop.NOW);
            shop.replica.apply(handle, change);
          }
        });
  }

  @ParameterizedTest(name = "{1} extra beside {0} in step: held back {2}")
  @CsvSource({
    // more than ten
    "30, 10, false",
    "30, 11, true",
    // one per cent of the replica's rows, where that is more
    "1089, 11, false",
    "1088, 12, true",
    // more than half of five or more
    "3, 2, false",
    "2, 3, true",
    "3, 3, false",
    "3, 4, true",
    "1, 3, false",
    // an empty listing
    "0, 1, true"
  })
  void deletions(int inStep, int extra, boolean heldBack) {
    both("o", inStep);
    both("ghost", extra);
    for (int i = 0; i < extra; i++) {
      shop.source.delete("ghost" + i);
    }
    RunReport report = shop.scheduled();
    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(report.counts().heldBack()).isEqualTo(heldBack ? extra : 0);
    assertThat(report.counts().fixed()).isEqualTo(heldBack ? 0 : extra);
    assertThat(shop.ours("ghost0").deleted()).isNotEqualTo(heldBack);
  }

  @ParameterizedTest(name = "{1} changes of {0} listed: held back {2}")
  @CsvSource({
    // a hundred
    "150, 100, false",
    "150, 101, true",
    // half of the listed rows, where that is more
    "220, 110, false",
    "220, 111, true"
  })
  void changes(int listed, int changed, boolean heldBack) {
    both("o", listed - changed);
    for (int i = 0; i < changed; i++) {
      shop.source.put("new" + i, Shop.DAY.plusSeconds(i));
    }
    RunReport report = shop.scheduled();
    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(report.counts().heldBack()).isEqualTo(heldBack ? changed : 0);
    assertThat(report.counts().fixed()).isEqualTo(heldBack ? 0 : changed);
    assertThat(shop.replica.find(shop.key("new0")).isPresent()).isNotEqualTo(heldBack);
  }

  @ParameterizedTest(name = "the list leaves out {0} that single reads find: {1}")
  @CsvSource({"10, DONE", "11, FAILED"})
  void leftOutByTheList(int hidden, RunState state) {
    both("o", 30);
    both("hidden", hidden);
    shop.source.show(row -> !row.get("id").asText().startsWith("hidden"));
    RunReport report = shop.scheduled();
    assertThat(report.state()).as(report.run().error()).isEqualTo(state);
    assertThat(report.counts().found()).isZero();
    assertThat(shop.ours("hidden0").deleted()).isFalse();
  }
}
