package io.hooktally.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A list that leaves out what is null: a field of its own must not pass for one of reads only. */
class LeftOutFieldsIT {
  private static final String CORRUPT = "body = jsonb_set(body, '{hold_reason}', '\"fraud\"')";

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(database.get().jdbi());
    shop.source.listedAs(
        row -> {
          if (row.path("hold_reason").isNull()) {
            row.remove("hold_reason");
          }
          return row;
        });
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private void put(int order, String reason) {
    ObjectNode node = shop.source.put("o" + order, Shop.DAY.plus(Duration.ofMinutes(order)));
    shop.source.put(node.deepCopy().put("hold_reason", reason));
    shop.sync("o" + order);
  }

  private RunReport report() {
    return shop.run(name -> RunRequest.scheduled(name, "order", RunMode.REPORT, null));
  }

  @Test
  void whatAnyRowOfTheFirstPageShowsIsComparedOnAll() {
    for (int i = 0; i < 20; i++) {
      put(i, i == 3 ? "credit" : null);
    }
    shop.corrupt("o15", CORRUPT);
    shop.corrupt("o1", CORRUPT);

    RunReport report = report();

    assertThat(shop.states(report.id())).containsOnlyKeys("o15", "o1");
    assertThat(report.run().covered()).contains("hold_reason");
  }

  @Test
  void whatShowsLaterIsComparedFromThenOnAndNotVouchedFor() {
    for (int i = 0; i < 450; i++) {
      put(i, i == 20 ? "credit" : null);
    }
    shop.corrupt("o15", CORRUPT);
    shop.corrupt("o20", "body = jsonb_set(body, '{hold_reason}', 'null')");

    RunReport report = report();

    assertThat(shop.states(report.id()))
        .containsOnlyKeys("o15", "o20")
        .containsValue(SuspectState.LEFT);
    assertThat(report.run().covered()).doesNotContain("hold_reason").contains("status");
  }
}
