package io.hooktally.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.store.Json;
import io.hooktally.store.Lane;
import io.hooktally.store.alert.Alerts;
import io.hooktally.store.replica.Change;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.replica.Replica;
import io.hooktally.store.run.LossCause;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.RunSum;
import io.hooktally.store.run.Sums;
import io.hooktally.store.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a run says of its disagreements beyond their kind: how they came about, what they cost. */
class LossAndSumsIT {
  private static final String SUMS =
      "{\"sums\": [{\"field\": \"/grand_total\", \"by\": \"/currency\"}]}";

  @RegisterExtension final TestDatabase database = new TestDatabase();

  // The causes compare the source's times with the database's clock: here both tell the same.
  private final HandClock clock = new HandClock(Instant.now().truncatedTo(ChronoUnit.SECONDS));
  private final Instant day = clock.instant().minus(Duration.ofHours(20));
  private final FakeSource source = new FakeSource(clock);
  private Jdbi jdbi;
  private Replica replica;
  private SourceConfig config;
  private SourceClient client;
  private Runnable whilePaused = () -> {};

  @BeforeEach
  void open() {
    jdbi = database.get().jdbi();
    replica = new Replica(jdbi);
    use("{}");
  }

  @AfterEach
  void close() {
    client.close();
    source.close();
  }

  private void use(String entity) {
    config = source.config(entity);
    client = new SourceClient(config, clock);
  }

  private RunReport run(RunMode mode) {
    RunReport report =
        new Reconciler(
                jdbi,
                List.of(new SourceAccess(config, client)),
                ReconcileSettings.in(ZoneOffset.UTC),
                "test",
                length -> {
                  clock.advance(length);
                  whilePaused.run();
                })
            .run(RunRequest.scheduled("shop", "order", mode, null));
    assertThat(report.state()).isEqualTo(RunState.DONE);
    assertThat(report.counts().addUp()).isTrue();
    return report;
  }

  private void put(String id, int minute, String total, @Nullable String currency) {
    ObjectNode order = FakeSource.parse("{\"id\": \"" + id + "\", \"status\": \"placed\"}");
    order.set("grand_total", Json.parse(total.getBytes(StandardCharsets.UTF_8)));
    order.put("currency", currency);
    order.put("created_at", day.plus(Duration.ofMinutes(minute)).toString());
    order.put("updated_at", day.plus(Duration.ofMinutes(minute)).toString());
    source.put(order);
  }

  private void sync(String id) {
    sync(id, null);
  }

  private void sync(String id, @Nullable String event) {
    var ticket = replica.beginRead(new EntityKey("shop", "order", id));
    ReadResult.Found found = (ReadResult.Found) client.read("order", id);
    replica.apply(new Change.Read(ticket, found.modified(), found.body(), Lane.LIVE, event));
  }

  private void event(String id, Instant received) {
    jdbi.useHandle(
        h ->
            h.createUpdate(
                    """
                    insert into processed_event (first_received_at, last_received_at, source,
                        event_id, topic, body_sha256)
                    values (:at, :at, 'shop', :id, 'order.updated', '')
                    """)
                .bind("at", received.atOffset(ZoneOffset.UTC))
                .bind("id", id)
                .execute());
  }

  private void waiting(String event, String order) {
    jdbi.useHandle(
        h ->
            h.execute(
                """
                insert into dispatch (consumer, source, event_id, received_at, entity_type, key,
                    attempts)
                values ('replica', 'shop', ?, now(), 'order', ?, 2)
                """,
                event,
                "order/" + order));
  }

  private void parked(String event, String order, Instant received) {
    jdbi.useHandle(
        h ->
            h.execute(
                """
                insert into parked (consumer, source, event_id, lane, received_at, entity_type, key,
                    kind, attempts, error)
                values ('replica', 'shop', ?, 'live', ?, 'order', ?, 'poison', 8,
                    'SourceRefusedException: answered 422 with something private')
                """,
                event,
                received.atOffset(ZoneOffset.UTC),
                "order/" + order));
  }

  private void sql(String statement) {
    jdbi.useHandle(h -> assertThat(h.execute(statement)).isEqualTo(1));
  }

  private record Lost(@Nullable LossCause cause, @Nullable String note) {}

  private Map<String, Lost> lost(RunReport report) {
    return jdbi.withHandle(
        h ->
            h
                .createQuery(
                    "select entity_id, lost, lost_note from disagreement where run_id = :run")
                .bind("run", report.id())
                .map(
                    (row, context) ->
                        Map.entry(
                            row.getString(1),
                            new Lost(
                                row.getString(2) == null ? null : LossCause.of(row.getString(2)),
                                row.getString(3))))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  // ---- how it was lost

  @Test
  void whereNoDeliveryIsKnownTheLastOneIsNamed() {
    for (String id : List.of("o1", "o2", "o3")) {
      put(id, 1, "10", "EUR");
    }
    event("evt_1", day.plus(Duration.ofMinutes(1)));
    sync("o1", "evt_1");
    sync("o2");
    source.change("o1", day.plus(Duration.ofHours(2)), "status", "completed");
    source.change("o2", day.plus(Duration.ofHours(2)), "status", "completed");
    Map<String, Lost> lost = lost(run(RunMode.FIX));
    assertThat(lost.values())
        .extracting(Lost::cause)
        .containsOnly(LossCause.NO_DELIVERY)
        .hasSize(3);
    assertThat(lost.get("o1").note())
        .contains("No delivery of this change is known", "evt_1 (order.updated)", "received at");
    assertThat(lost.get("o2").note()).contains("No event ever touched the row", "lane live");
    assertThat(lost.get("o3").note()).contains("the replica never had it");
  }

  @Test
  void whatWasWrongWithDeliveriesAtTheTimeIsTold() {
    put("o1", 1, "10", "EUR");
    put("o2", 1, "10", "EUR");
    sync("o1");
    sync("o2");
    source.change("o1", day.plus(Duration.ofHours(2)), "status", "completed");
    source.change("o2", day.plus(Duration.ofHours(9)), "status", "completed");
    trouble("shop", "refused.signature", 12, day.plus(Duration.ofMinutes(100)));
    trouble("", "away", 0, day.plus(Duration.ofMinutes(110)));
    trouble("other", "unavailable", 7, day.plus(Duration.ofMinutes(110)));
    Map<String, Lost> lost = lost(run(RunMode.FIX));
    assertThat(lost.get("o1").note())
        .contains(
            "At the time of the change",
            "refused.signature (12)",
            "no instance was there to take deliveries")
        .doesNotContain("unavailable");
    assertThat(lost.get("o2").note()).doesNotContain("At the time of the change");
  }

  // From then on for half an hour.
  private void trouble(String of, String outcome, int deliveries, Instant from) {
    jdbi.useHandle(
        h ->
            h.execute(
                "insert into trouble (source, outcome, instance, began_at, ended_at, deliveries)"
                    + " values (?, ?, 'one', ?, ?, ?)",
                of,
                outcome,
                from.atOffset(ZoneOffset.UTC),
                from.plus(Duration.ofMinutes(30)).atOffset(ZoneOffset.UTC),
                deliveries));
  }

  @Test
  void whatIsPendingParkedOrHeldIsToldApart() {
    for (String id : List.of("pending", "parked", "held", "parkedLongAgo")) {
      put(id, 1, "10", "EUR");
    }
    waiting("evt_p", "pending");
    parked("evt_q", "parked", day.plus(Duration.ofMinutes(2)));
    parked("evt_r", "held", day.plus(Duration.ofMinutes(2)));
    waiting("evt_h", "held");
    parked("evt_old", "parkedLongAgo", day.minus(Duration.ofDays(3)));
    Map<String, Lost> lost = lost(run(RunMode.REPORT));
    assertThat(lost.get("pending").cause()).isEqualTo(LossCause.PENDING);
    assertThat(lost.get("pending").note()).contains("evt_p", "not handled yet", "2 attempts");
    assertThat(lost.get("parked").cause()).isEqualTo(LossCause.PARKED);
    assertThat(lost.get("parked").note())
        .contains("evt_q", "poison", "SourceRefusedException")
        .doesNotContain("private");
    assertThat(lost.get("held").cause()).isEqualTo(LossCause.HELD);
    assertThat(lost.get("held").note()).contains("evt_h", "behind event evt_r");
    assertThat(lost.get("parkedLongAgo").cause()).isEqualTo(LossCause.NO_DELIVERY);
  }

  @Test
  void whatWasChangedHereIsToldFromWhatTheSourceChangedQuietly() {
    for (String id : List.of("here", "there", "both")) {
      put(id, 1, "10.5000", "EUR");
      sync(id);
    }
    sql("update entity set body = jsonb_set(body, '{status}', '\"x\"') where entity_id = 'here'");
    source.change("there", day.plus(Duration.ofMinutes(1)), "status", "completed");
    // Older, and changed here: that it is older has another reason.
    sql("update entity set body = jsonb_set(body, '{status}', '\"x\"') where entity_id = 'both'");
    source.change("both", day.plus(Duration.ofHours(1)), "status", "completed");
    Map<String, Lost> lost = lost(run(RunMode.FIX));
    assertThat(lost.get("here").cause()).isEqualTo(LossCause.CHANGED_HERE);
    assertThat(lost.get("here").note()).contains("changed in our database later");
    assertThat(lost.get("there").cause()).isEqualTo(LossCause.NO_DELIVERY);
    assertThat(lost.get("there").note()).contains("the modified time did not");
    assertThat(lost.get("both").cause()).isEqualTo(LossCause.NO_DELIVERY);
  }

  @Test
  void aDeliveryThatBroughtAnOlderStateIsNamed() {
    put("o1", 1, "10", "EUR");
    event("evt_1", day.plus(Duration.ofHours(3)));
    sync("o1", "evt_1");
    source.change("o1", day.plus(Duration.ofHours(2)), "status", "completed");
    Lost lost = lost(run(RunMode.FIX)).get("o1");
    assertThat(lost.cause()).isEqualTo(LossCause.APPLIED_OLDER);
    assertThat(lost.note()).contains("evt_1", "an older state");
  }

  @Test
  void aSourceThatWentBackLostNothing() {
    put("o1", 1, "10", "EUR");
    sync("o1");
    sql("update entity set modified_second = modified_second + 3600");
    assertThat(lost(run(RunMode.FIX)).get("o1").cause()).isNull();
  }

  // ---- what may change without an event

  @Test
  void unannouncedChangesAreFixedAndCountedApartAndAlertNobody() {
    use("{\"unannounced\": [\"/score\"]}");
    for (String id : List.of("o1", "o2", "o3")) {
      put(id, 1, "10", "EUR");
      sync(id);
    }
    source.change("o1", day.plus(Duration.ofMinutes(1)), "score", "7");
    source.change("o2", day.plus(Duration.ofHours(2)), "score", "8");
    RunReport report = run(RunMode.FIX);
    assertThat(report.counts().unannounced()).isEqualTo(2);
    assertThat(report.counts().found()).isZero();
    assertThat(report.agrees()).isTrue();
    assertThat(new Alerts(jdbi).pending()).isZero();
    assertThat(run(RunMode.FIX).counts().suspects()).isZero();

    source.change("o1", day.plus(Duration.ofHours(3)), "score", "9");
    source.change("o1", day.plus(Duration.ofHours(3)), "status", "completed");
    report = run(RunMode.REPORT);
    assertThat(report.counts().found()).isEqualTo(1);
    assertThat(report.counts().unannounced()).isZero();
  }

  // ---- sums

  private Map<String, String> sums(RunReport report) {
    Map<String, String> sums = new TreeMap<>();
    for (RunSum sum : new Sums(jdbi).list(report.id(), 100)) {
      assertThat(sum.field()).isEqualTo("/grand_total");
      assertThat(sum.by()).isEqualTo("/currency");
      sums.put(
          sum.group(),
          sum.theirs().toPlainString()
              + " "
              + sum.before().toPlainString()
              + " "
              + sum.after().toPlainString());
    }
    return sums;
  }

  private void drift() {
    put("same", 1, "10.5000", "EUR");
    put("text", 2, "\"0.1\"", "EUR");
    put("none", 3, "null", "EUR");
    put("stale", 4, "20.25", "EUR");
    put("extra", 5, "5.0001", "EUR");
    put("dollar", 6, "9007199254740993.0001", "USD");
    put("moves", 7, "1", "EUR");
    for (String id : List.of("same", "text", "none", "stale", "extra", "dollar", "moves")) {
      sync(id);
    }
    source.delete("extra");
    put("stale", 60, "30.25", "EUR");
    put("missing", 8, "7.7", "EUR");
    put("moves", 61, "2", "USD");
    put("nowhere", 9, "3", null);
  }

  @Test
  void sumsOfBothSidesAreExactBeforeAndAfterTheFixes() {
    use(SUMS);
    drift();
    Map<String, String> sums = sums(run(RunMode.FIX));
    assertThat(sums)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "EUR", "48.5500 36.8501 48.5500",
                "USD", "9007199254740995.0001 9007199254740993.0001 9007199254740995.0001",
                "", "3 0 3"));
    assertThat(sums(run(RunMode.FIX)))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "EUR", "48.5500 48.5500 48.5500",
                "USD", "9007199254740995.0001 9007199254740995.0001 9007199254740995.0001",
                "", "3 3 3"));
  }

  @Test
  void sumsOfARunThatIsTakenUpAgainCountNothingTwice() {
    use(SUMS);
    drift();
    // It ends when it has fixed all, before its books are closed.
    jdbi.useHandle(
        h -> {
          h.execute(
              "create function refuse() returns trigger language plpgsql as"
                  + " $$ begin raise exception 'no'; end $$");
          h.execute(
              "create trigger refuse before update on reconcile_run for each row"
                  + " when (new.state = 'done') execute function refuse()");
        });
    Reconciler reconciler =
        new Reconciler(
            jdbi,
            List.of(new SourceAccess(config, client)),
            ReconcileSettings.in(ZoneOffset.UTC),
            "test",
            clock::advance);
    RunReport failed = reconciler.run(RunRequest.scheduled("shop", "order", RunMode.FIX, null));
    assertThat(failed.state()).isEqualTo(RunState.FAILED);
    assertThat(failed.counts().fixed()).isPositive();
    jdbi.useHandle(h -> h.execute("drop trigger refuse on reconcile_run"));

    RunReport report = reconciler.resume(failed.id()).complete();

    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(sums(report))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "EUR", "48.5500 36.8501 48.5500",
                "USD", "9007199254740995.0001 9007199254740993.0001 9007199254740995.0001",
                "", "3 0 3"));
  }

  @Test
  void whatARunOnlyReportsStaysInTheReplicasSum() {
    use(SUMS);
    drift();
    assertThat(sums(run(RunMode.REPORT)).get("EUR")).isEqualTo("48.5500 36.8501 36.8501");
    // Earlier ones are met again in the window, and count once.
    assertThat(sums(run(RunMode.REPORT)).get("EUR")).isEqualTo("48.5500 36.8501 36.8501");
  }

  @Test
  void whatIsHeldBackStaysInTheReplicasSum() {
    use(SUMS);
    for (int i = 0; i < 4; i++) {
      put("o" + i, i, "1", "EUR");
      sync("o" + i);
    }
    for (int i = 0; i < 3; i++) {
      put("x" + i, i + 10, "100", "EUR");
      sync("x" + i);
      source.delete("x" + i);
    }
    put("y", 20, "100", "EUR");
    sync("y");
    source.delete("y");
    RunReport report = run(RunMode.FIX);
    assertThat(report.counts().heldBack()).isZero();
    assertThat(sums(report).get("EUR")).isEqualTo("4 404 4");

    for (int i = 0; i < 5; i++) {
      put("z" + i, i + 10, "100", "EUR");
      sync("z" + i);
      source.delete("z" + i);
    }
    report = run(RunMode.FIX);
    assertThat(report.counts().heldBack()).isEqualTo(5);
    assertThat(sums(report).get("EUR")).isEqualTo("4 504 504");
  }

  @Test
  void whatMovedOnCountsOnNeitherSide() {
    use(SUMS);
    put("o1", 1, "10", "EUR");
    sync("o1");
    put("late", 19 * 60 + 59, "5", "EUR");
    AtomicBoolean once = new AtomicBoolean();
    whilePaused =
        () -> {
          if (once.compareAndSet(false, true)) {
            put("late", 19 * 60 + 59, "6", "EUR");
            source.change("late", clock.instant(), "status", "completed");
            sync("late");
          }
        };
    RunReport report = run(RunMode.FIX);
    assertThat(report.counts().movedOn()).isEqualTo(1);
    assertThat(sums(report).get("EUR")).isEqualTo("10 10 10");
  }
}
