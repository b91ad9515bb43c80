package io.hooktally.reconcile;

import static io.hooktally.reconcile.Shop.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.report.VerdictText;
import io.hooktally.store.Lane;
import io.hooktally.store.alert.Alert;
import io.hooktally.store.alert.AlertKind;
import io.hooktally.store.replica.Applied;
import io.hooktally.store.replica.Change;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.run.Watermarks;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What people decide about disagreements, and what they are told of them. */
class PersonsWordIT {
  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Shop shop;
  private OpenDisagreements open;

  @BeforeEach
  void open() {
    shop = new Shop(database.get().jdbi());
    open = new OpenDisagreements(shop.jdbi);
    shop.fill(30);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private void ahead(String id) {
    shop.corrupt(id, "modified_second = modified_second + 3600");
  }

  private void ghosts(int count) {
    IntStream.range(0, count)
        .forEach(
            i -> {
              shop.source.put("ghost" + i, DAY.plusSeconds(i + 1));
              shop.sync("ghost" + i);
              shop.source.delete("ghost" + i);
            });
  }

  private RunReport trusting() {
    return shop.run(
        name -> RunRequest.scheduled(name, "order", RunMode.FIX, null).trustingSource());
  }

  // ---- trust

  @Test
  void whatIsAheadIsFixedOnlyWhereTheSourceIsTrustedAndItsEpochRises() {
    ahead("o8");
    assertThat(shop.states(shop.scheduled().id())).containsEntry("o8", SuspectState.LEFT);
    assertThat(shop.ours("o8").version().epoch()).isZero();

    RunReport report = trusting();

    assertThat(shop.states(report.id())).containsEntry("o8", SuspectState.FIXED);
    assertThat(report.counts().residual()).isZero();
    assertThat(shop.ours("o8").version().epoch()).isEqualTo(1);
    assertThat(shop.ours("o8").modified()).isEqualTo(DAY.plus(Duration.ofMinutes(8)));
    assertThat(shop.scheduled().agrees()).isTrue();
    // Its times are not believed any more: a payload triggers a read.
    Change payload =
        new Change.Payload(
            shop.key("o8"), Shop.NOW, shop.ours("o8").body(), Lane.LIVE, "e1", Shop.NOW);
    assertThat(shop.replica.apply(payload)).isEqualTo(Applied.TIE);
  }

  @Test
  void aReadBegunBeforeTheSourceWasTrustedLoses() {
    ahead("o8");
    var before = shop.replica.beginRead(shop.key("o8"));
    trusting();
    Change late = new Change.Read(before, Shop.NOW, shop.ours("o8").body(), Lane.LIVE, null);
    assertThat(shop.replica.apply(late)).isEqualTo(Applied.OLDER);
  }

  @Test
  void aMassOfAheadWaitsForAPersonAlsoWhereTheSourceIsTrusted() {
    // Beyond a hundred, and beyond half of what is listed.
    shop.fill(150);
    shop.corrupt("o149", "modified_second = modified_second + 1");
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "update entity set modified_second = modified_second + 3600"
                    + " where substr(entity_id, 2)::int < 101"));
    RunReport report = trusting();
    assertThat(report.counts().heldBack()).isEqualTo(102);
    assertThat(report.counts().fixed()).isZero();
    assertThat(shop.ours("o8").version().epoch()).isZero();
  }

  @Test
  void otherConsumersAreToldOfWhatTheSourceWasTrustedWith() {
    shop.jdbi.useHandle(
        h -> h.execute("insert into consumer (name, source) values ('mirror', 'shop')"));
    ahead("o8");
    trusting();
    List<String> told =
        shop.jdbi.withHandle(
            h ->
                h.createQuery(
                        """
                        select topic from dispatch join processed_event using (source, event_id)
                        where consumer = 'mirror'
                        """)
                    .mapTo(String.class)
                    .list());
    assertThat(told).containsExactly("hooktally.order.changed");
  }

  // ---- what stays open

  @Test
  void aRunOverAnOldWindowForgetsNothingThatIsOpen() {
    shop.source.change("o3", DAY.plus(Duration.ofHours(9)), "status", "completed");
    shop.run(name -> RunRequest.scheduled(name, "order", RunMode.REPORT, null));
    assertThat(open.open("shop", "order")).isOne();
    shop.alerts();

    Window old = new Window(DAY.minus(Duration.ofDays(2)), DAY);
    for (RunMode mode : List.of(RunMode.REPORT, RunMode.FIX)) {
      RunReport report = shop.run(name -> RunRequest.manual(name, "order", old, mode));
      assertThat(report.counts().earlierChecked()).isOne();
      assertThat(open.open("shop", "order")).isEqualTo(mode == RunMode.REPORT ? 1 : 0);
    }
    assertThat(shop.ours("o3").body().path("status").asText()).isEqualTo("completed");
  }

  @Test
  void whatARunWouldHaveLoadedIsNotOpenAfterwards() {
    shop.lose(IntStream.range(0, 30).mapToObj(i -> "o" + i).toArray(String[]::new));
    RunReport dry = shop.run(name -> RunRequest.backfillAll(name, "order", RunMode.REPORT));
    assertThat(dry.counts().loaded()).isEqualTo(30);
    assertThat(VerdictText.of(dry)).contains("would be loaded").doesNotContain("agree");
    assertThat(open.open("shop", "order")).isZero();
  }

  // ---- watermarks

  @Test
  void aWatermarkLaterThanTheSourcesNowFailsTheRunAndSaysSo() {
    new Watermarks(shop.jdbi).set("shop", "order", Shop.NOW.plus(Duration.ofDays(3000)), "ada");
    RunReport report = shop.scheduled();
    assertThat(report.state()).isEqualTo(RunState.FAILED);
    assertThat(report.run().error()).contains("watermark").contains("watermark set");
  }

  @Test
  void aWatermarkThatAPersonSetsDuringARunStands() {
    shop.scheduled();
    Instant back = DAY.minus(Duration.ofDays(20));
    Watermarks watermarks = new Watermarks(shop.jdbi);
    shop.source.afterEachPage(() -> watermarks.set("shop", "order", back, "ada"));
    shop.clock.advance(Duration.ofDays(1));
    assertThat(shop.scheduled().state()).isEqualTo(RunState.DONE);
    assertThat(watermarks.find("shop", "order")).contains(back);

    shop.source.afterEachPage(() -> {});
    assertThat(shop.scheduled().run().from()).isEqualTo(back.minus(Duration.ofDays(2)));
    assertThat(watermarks.find("shop", "order").orElseThrow()).isAfter(back);
  }

  // ---- accept

  @Test
  void whatIsAcceptedIsLeftAndNotToldOfAgainWhileItStaysTheSame() {
    ahead("o8");
    shop.scheduled();
    assertThat(shop.alerts()).hasSize(1);

    assertThat(open.accept(shop.key("o8"), "ada", "restored by hand")).isTrue();
    assertThat(open.accept(shop.key("o8"), "ada", "again")).isFalse();

    RunReport next = shop.scheduled();
    assertThat(next.counts().earlierChecked()).isZero();
    assertThat(shop.states(next.id())).containsEntry("o8", SuspectState.LEFT);
    assertThat(open.open("shop", "order")).isZero();
    assertThat(shop.alerts()).isEmpty();

    shop.source.change("o8", DAY.plus(Duration.ofMinutes(9)), "status", "cancelled");
    shop.scheduled();
    assertThat(shop.alerts()).as("it is another one now").hasSize(1);
    assertThat(open.open("shop", "order")).isEqualTo(1);
  }

  @Test
  void whatIsAcceptedIsNotFixedEither() {
    shop.corrupt("o3", "body = jsonb_set(body, '{status}', '\"x\"')");
    shop.run(
        name ->
            RunRequest.manual(
                name, "order", new Window(DAY, DAY.plus(Duration.ofDays(1))), RunMode.REPORT));
    assertThat(open.accept(shop.key("o3"), "ada", "on purpose")).isTrue();
    RunReport fixing = shop.scheduled();
    assertThat(fixing.counts().fixed()).isZero();
    assertThat(fixing.counts().addUp()).isTrue();
    assertThat(shop.ours("o3").body().path("status").asText()).isEqualTo("x");
  }

  // ---- approve

  @Test
  void whatWasHeldBackAndApprovedIsFixedByTheNextRunPastTheGuards() {
    ghosts(12);
    RunReport held = shop.scheduled();
    assertThat(held.counts().heldBack()).isEqualTo(12);

    assertThat(open.approve(held.id(), "ghost3", "ada")).isEqualTo(1);
    RunReport one = shop.scheduled();
    assertThat(shop.states(one.id())).containsEntry("ghost3", SuspectState.FIXED);
    assertThat(one.counts().heldBack()).isEqualTo(11);

    assertThat(open.approve(one.id(), null, "ada")).isEqualTo(11);
    RunReport rest = shop.scheduled();
    assertThat(rest.counts().fixed()).isEqualTo(11);
    assertThat(rest.counts().addUp()).isTrue();
    assertThat(open.open("shop", "order")).isZero();
    assertThat(shop.scheduled().agrees()).isTrue();
  }

  @Test
  void whatWasHeldBackCanBeApprovedAlsoAfterARunThatOnlyReports() {
    ghosts(12);
    RunReport held = shop.scheduled();
    shop.run(name -> RunRequest.scheduled(name, "order", RunMode.REPORT, null));
    assertThat(open.approve(held.id(), null, "ada")).isEqualTo(12);
    assertThat(shop.scheduled().counts().fixed()).isEqualTo(12);
  }

  @Test
  void anApprovalOutlivesARunThatOnlyReports() {
    ghosts(12);
    RunReport held = shop.scheduled();
    open.approve(held.id(), null, "ada");
    shop.run(name -> RunRequest.scheduled(name, "order", RunMode.REPORT, null));
    assertThat(shop.scheduled().counts().fixed()).isEqualTo(12);
  }

  // ---- alerts

  @Test
  void onlyNewsIsToldAndOnceThatAllIsSolved() {
    refuseInsertsOf("o3");
    shop.lose("o3");
    shop.scheduled();
    assertThat(shop.alerts()).extracting(Alert::kind).containsExactly(AlertKind.DISAGREEMENTS);
    for (int day = 0; day < 3; day++) {
      shop.clock.advance(Duration.ofDays(1));
      RunReport again = shop.scheduled();
      assertThat(again.agrees()).isFalse();
      assertThat(open.open("shop", "order")).isEqualTo(1);
      assertThat(shop.alerts()).as("day %d", day).isEmpty();
    }

    shop.jdbi.useHandle(h -> h.execute("drop trigger refuse on entity"));
    shop.scheduled();
    assertThat(shop.alerts()).extracting(Alert::kind).containsExactly(AlertKind.SOLVED);
    assertThat(open.open("shop", "order")).isZero();
    shop.scheduled();
    assertThat(shop.alerts()).isEmpty();

    shop.source.put("o3", shop.clock.instant().minus(Duration.ofHours(1)));
    refuseUpdatesOf("o3");
    shop.scheduled();
    assertThat(shop.alerts())
        .as("broken again")
        .extracting(Alert::kind)
        .containsExactly(AlertKind.DISAGREEMENTS);
  }

  @Test
  void whatIsNewBesideWhatIsOpenIsToldOfAlone() {
    ahead("o8");
    shop.scheduled();
    shop.alerts();
    shop.lose("o3");
    shop.scheduled();
    assertThat(shop.alerts())
        .singleElement()
        .satisfies(alert -> assertThat(alert.text()).contains("1 new", "1 fixed", "1 open in all"));
  }

  private void refuseInsertsOf(String id) {
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "create or replace function refuse() returns trigger language plpgsql as $$ begin"
                    + " raise 'no'; end $$"));
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "create trigger refuse before insert on entity for each row when (new.entity_id = '"
                    + id
                    + "') execute function refuse()"));
  }

  private void refuseUpdatesOf(String id) {
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "create trigger refuse before update on entity for each row when (new.entity_id = '"
                    + id
                    + "') execute function refuse()"));
  }
}
