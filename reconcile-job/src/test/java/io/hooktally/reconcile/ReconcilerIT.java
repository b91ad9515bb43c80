package io.hooktally.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.store.Lane;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import io.hooktally.store.alert.Alerts;
import io.hooktally.store.replica.Change;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.replica.Replica;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Disagreements;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.run.Watermarks;
import io.hooktally.store.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs against a source and a replica that differ in known ways. */
class ReconcilerIT {
  private static final Instant NOW = Instant.parse("2026-05-11T12:00:00Z");
  private static final Instant DAY = Instant.parse("2026-05-10T00:00:00Z");

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private final HandClock clock = new HandClock(NOW);
  private final FakeSource source = new FakeSource(clock);
  private Jdbi jdbi;
  private Replica replica;
  private SourceClient client;
  private Runnable whilePaused = () -> {};

  @BeforeEach
  void open() {
    jdbi = database.get().jdbi();
    replica = new Replica(jdbi);
    use(source.config());
  }

  private SourceConfig config;

  private void use(SourceConfig other) {
    config = other;
    client = new SourceClient(config, clock);
  }

  @AfterEach
  void close() {
    client.close();
    source.close();
  }

  private Reconciler reconciler(ZoneId zone) {
    return new Reconciler(
        jdbi,
        List.of(new SourceAccess(config, client)),
        ReconcileSettings.in(zone),
        "test",
        length -> {
          clock.advance(length);
          whilePaused.run();
        });
  }

  private RunReport scheduled() {
    return reconciler(ZoneOffset.UTC).run(RunRequest.scheduled("shop", "order", RunMode.FIX, null));
  }

  private RunReport manual(Instant from, Instant to, RunMode mode) {
    return reconciler(ZoneOffset.UTC)
        .run(RunRequest.manual("shop", "order", new Window(from, to), mode));
  }

  private static EntityKey key(String id) {
    return new EntityKey("shop", "order", id);
  }

  /** As the live way does: a read, applied. */
  private void sync(String id) {
    var ticket = replica.beginRead(key(id));
    ReadResult read = client.read("order", id);
    replica.apply(
        read instanceof ReadResult.Found found
            ? new Change.Read(ticket, found.modified(), found.body(), Lane.LIVE, null)
            : new Change.Gone(ticket, Lane.LIVE, null));
  }

  private void fill(int orders) {
    IntStream.range(0, orders)
        .forEach(
            i -> {
              source.put("o" + i, DAY.plus(Duration.ofMinutes(i)));
              sync("o" + i);
            });
  }

  private void corrupt(String id, String sql) {
    jdbi.useHandle(
        handle ->
            assertThat(
                    handle
                        .createUpdate("update entity set " + sql + " where entity_id = :id")
                        .bind("id", id)
                        .execute())
                .isEqualTo(1));
  }

  private void insertExtra(String id, Instant modified) {
    source.put(id, modified);
    sync(id);
    source.delete(id);
  }

  private Map<String, Kind> found(RunReport report) {
    return new Disagreements(jdbi)
            .list(
                report.id(),
                Set.of(
                    SuspectState.FIXED,
                    SuspectState.LEFT,
                    SuspectState.HELD_BACK,
                    SuspectState.FAILED),
                "",
                10_000)
            .stream()
            .filter(one -> !one.earlier())
            .collect(
                Collectors.toMap(
                    Disagreement::entityId, Disagreement::kind, (a, b) -> a, TreeMap::new));
  }

  private void assertInSync() {
    Map<String, ObjectNode> theirs = source.orders();
    List<String> held =
        jdbi.withHandle(
            h ->
                h.createQuery("select entity_id from entity where not deleted")
                    .mapTo(String.class)
                    .list());
    Set<String> ours = new TreeSet<>(held);
    assertThat(ours).isEqualTo(new TreeSet<>(theirs.keySet()));
    for (String id : theirs.keySet()) {
      Entity entity = replica.find(key(id)).orElseThrow();
      assertThat(entity.body())
          .as(id)
          .isEqualTo(
              io.hooktally.store.Json.parse(
                  source.aggregate(id).toString().getBytes(StandardCharsets.UTF_8)));
    }
  }

  private long alerts() {
    return new Alerts(jdbi).pending();
  }

  private String alertText() {
    return new Alerts(jdbi).claim(clock.instant(), Duration.ofMinutes(1), 10).get(0).text();
  }

  private Optional<Instant> watermark() {
    return new Watermarks(jdbi).find("shop", "order");
  }

  // ---- what it finds

  @Test
  void aFaultlessDayReportsNothing() {
    fill(30);
    RunReport report = scheduled();
    assertThat(report.state()).isEqualTo(RunState.DONE);
    assertThat(report.agrees()).isTrue();
    assertThat(report.run().listed()).isEqualTo(30);
    assertThat(report.run().covered())
        .containsExactly("created_at", "grand_total", "id", "status", "updated_at");
    assertThat(alerts()).isZero();
  }

  @Test
  void eachKindIsFoundAndFixed() {
    fill(30);
    source.put("new", DAY.plusSeconds(5));
    source.change("o3", DAY.plus(Duration.ofHours(3)), "status", "completed");
    corrupt("o4", "body = jsonb_set(body, '{status}', '\"cancelled\"')");
    corrupt("o5", "body = body - 'status'");
    insertExtra("ghost", DAY.plusSeconds(30));
    jdbi.useHandle(h -> h.execute("delete from entity where entity_id = 'o6'"));
    corrupt("o7", "deleted = true");
    corrupt("o8", "modified_second = modified_second + 3600");

    RunReport report = scheduled();

    assertThat(report.state()).isEqualTo(RunState.DONE);
    assertThat(found(report))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "new", Kind.MISSING,
                "o3", Kind.STALE,
                "o4", Kind.DIFFERENT,
                "o5", Kind.DIFFERENT,
                "ghost", Kind.EXTRA,
                "o6", Kind.MISSING,
                "o7", Kind.MISSING,
                "o8", Kind.AHEAD));
    assertThat(report.counts().fixed()).isEqualTo(7);
    assertThat(report.counts().left()).isEqualTo(1);
    assertThat(report.counts().residual()).isZero();
    assertThat(report.counts().addUp()).isTrue();
    assertThat(alertText()).contains("8 disagreements", "7 fixed", "1 left");

    RunReport again = scheduled();
    assertThat(found(again)).containsExactly(Map.entry("o8", Kind.AHEAD));
    corrupt("o8", "modified_second = modified_second - 3600");
    assertInSync();
    assertThat(scheduled().agrees()).isTrue();
  }

  @Test
  void differencesAreNamed() {
    fill(5);
    corrupt("o1", "body = jsonb_set(body, '{status}', '\"cancelled\"')");
    RunReport report = scheduled();
    Disagreement one =
        new Disagreements(jdbi).list(report.id(), Set.of(SuspectState.FIXED), "", 10).get(0);
    assertThat(one.differences())
        .containsExactly(
            new io.hooktally.store.run.Difference("/status", "\"cancelled\"", "\"placed\""));
    long kept =
        jdbi.withHandle(
            h ->
                h.createQuery("select count(*) from disagreement where read_body is not null")
                    .mapTo(Long.class)
                    .one());
    assertThat(kept).isZero();
  }

  @Test
  void notationIsNoDifference() {
    fill(3);
    ObjectNode order = source.orders().get("o1").deepCopy();
    order.put("updated_at", "2026-05-10T00:01:00.000000Z");
    order.put("created_at", "2026-05-10T00:01:00.000Z");
    order.set("grand_total", FakeSource.parse("{\"x\": 1.05e1}").get("x"));
    order.putNull("hold_reason");
    source.put(order);
    assertThat(scheduled().agrees()).isTrue();
  }

  @Test
  void whatTheDatabaseRefusesIsNoDifference() {
    fill(3);
    ObjectNode order = source.orders().get("o1").deepCopy();
    order.put("status", "a\u0000b\ud800c");
    source.put(order);
    corrupt("o2", "body = jsonb_set(body, '{status}', '\"x\"')");
    assertThat(found(scheduled())).containsOnlyKeys("o1", "o2");
    assertThat(replica.find(key("o1")).orElseThrow().altered()).isTrue();
    assertThat(scheduled().agrees()).isTrue();
  }

  @Test
  void ignoredFieldsAreNotCompared() {
    fill(3);
    use(source.config("{\"compare\": {\"ignore\": [\"/status\"]}}"));
    corrupt("o1", "body = jsonb_set(body, '{status}', '\"x\"')");
    RunReport report = scheduled();
    assertThat(report.agrees()).isTrue();
    assertThat(report.run().ignored()).containsExactly("/status");
    assertThat(report.run().covered()).doesNotContain("status");
  }

  @Test
  void fieldsThatOnlyTheListHasAreNotCompared() {
    fill(3);
    source.fault(
        (path, query, n) -> {
          if (!path.startsWith("/v1/orders/")) {
            return Optional.empty();
          }
          ObjectNode body = source.aggregate(path.substring(11));
          body.remove("status");
          return Optional.of(Response.json(200, body.toString()));
        });
    IntStream.range(0, 3).forEach(i -> sync("o" + i));
    RunReport report = scheduled();
    assertThat(report.agrees()).isTrue();
    assertThat(report.counts().suspects()).isZero();
    assertThat(report.run().covered()).doesNotContain("status");
  }

  // ---- what it must not find

  @Test
  void whatTheLiveWayBringsMeanwhileIsNoDisagreement() {
    fill(10);
    source.put("late", NOW.minusSeconds(20));
    source.change("o2", NOW.minusSeconds(10), "status", "completed");
    AtomicBoolean arrived = new AtomicBoolean();
    whilePaused =
        () -> {
          if (arrived.compareAndSet(false, true)) {
            sync("late");
            sync("o2");
          }
        };
    RunReport report = scheduled();
    assertThat(report.counts().suspects()).isEqualTo(2);
    assertThat(report.counts().found()).isZero();
    assertThat(report.counts().dissolved()).isEqualTo(2);
    assertThat(alerts()).isZero();
  }

  @Test
  void eventsReceivedBeforeAreWaitedFor() {
    fill(3);
    source.put("late", DAY.plusSeconds(5));
    jdbi.useHandle(
        h ->
            h.execute(
                """
                insert into dispatch (consumer, source, event_id, received_at, entity_type, key)
                values ('replica', 'shop', 'e1', now(), 'order', 'order/late')
                """));
    AtomicBoolean arrived = new AtomicBoolean();
    whilePaused =
        () -> {
          if (arrived.compareAndSet(false, true)) {
            sync("late");
            jdbi.useHandle(h -> h.execute("delete from dispatch"));
          }
        };
    assertThat(scheduled().counts().dissolved()).isEqualTo(1);
    assertThat(arrived).isTrue();
  }

  @Test
  void anEventThatHangsIsWaitedForOnlySoLong() {
    fill(3);
    source.put("late", DAY.plusSeconds(5));
    jdbi.useHandle(
        h ->
            h.execute(
                """
                insert into dispatch (consumer, source, event_id, received_at)
                values ('replica', 'shop', 'e1', now())
                """));
    assertThat(scheduled().counts().fixed()).isEqualTo(1);
    assertThat(Duration.between(NOW, clock.instant())).isEqualTo(Duration.ofSeconds(61));
  }

  @Test
  void whatTheSourceChangedAgainHasMovedOn() {
    fill(10);
    source.change("o2", DAY.plus(Duration.ofHours(10)), "status", "completed");
    AtomicBoolean once = new AtomicBoolean();
    source.fault(
        (path, query, n) -> {
          if (path.endsWith("/o2") && once.compareAndSet(false, true)) {
            source.change("o2", NOW, "status", "cancelled");
          }
          return Optional.empty();
        });
    whilePaused = () -> {};
    corrupt("o2", "modified_second = " + DAY.plus(Duration.ofHours(10)).getEpochSecond());
    RunReport report = scheduled();
    assertThat(report.counts().found()).isZero();
    assertThat(report.counts().movedOn()).isEqualTo(1);
  }

  @Test
  void whatWasDeletedSinceItWasListedHasMovedOn() {
    fill(10);
    source.change("o2", DAY.plus(Duration.ofHours(10)), "status", "completed");
    AtomicInteger pages = new AtomicInteger();
    // The first page is the probe's.
    source.afterEachPage(
        () -> {
          if (pages.incrementAndGet() == 2) {
            source.delete("o2");
          }
        });
    RunReport report = scheduled();
    assertThat(report.counts().movedOn()).isEqualTo(1);
    assertThat(report.counts().found()).isZero();
    assertThat(replica.find(key("o2")).orElseThrow().deleted()).isFalse();
    source.afterEachPage(() -> {});
    assertThat(found(scheduled())).containsExactly(Map.entry("o2", Kind.EXTRA));
  }

  @Test
  void aNewerStateThatArrivesDuringTheRunStays() {
    fill(10);
    corrupt("o2", "modified_second = modified_second - 60");
    AtomicBoolean once = new AtomicBoolean();
    whilePaused =
        () -> {
          if (once.compareAndSet(false, true)) {
            source.change("o2", clock.instant(), "status", "completed");
            sync("o2");
          }
        };
    source.put("late", NOW.minusSeconds(1));
    RunReport report = scheduled();
    assertThat(found(report)).containsExactly(Map.entry("late", Kind.MISSING));
    assertThat(replica.find(key("o2")).orElseThrow().body().get("status").asText())
        .isEqualTo("completed");
  }

  @Test
  void aDeletionWhoseEventIsUnderWayIsNoDisagreement() {
    fill(10);
    source.delete("o2");
    whilePaused = () -> sync("o2");
    RunReport report = scheduled();
    assertThat(report.counts().suspects()).isEqualTo(1);
    assertThat(report.counts().found()).isZero();
    assertThat(alerts()).isZero();
    assertThat(Duration.between(NOW, clock.instant())).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void aPayloadThatTheApiDoesNotShowYetIsNoDisagreement() {
    fill(10);
    source.lag(Duration.ofSeconds(30));
    source.change("o2", NOW, "status", "completed");
    replica.apply(new Change.Payload(key("o2"), NOW, source.aggregate("o2"), Lane.LIVE, null, NOW));
    RunReport report = scheduled();
    assertThat(report.counts().suspects()).isEqualTo(1);
    assertThat(report.counts().found()).isZero();
    assertThat(alerts()).isZero();
    assertInSync();
  }

  @Test
  void aPayloadThatComesAfterTheReadOfASlowApiIsNoDisagreement() {
    fill(10);
    source.put("late", NOW);
    corrupt("o2", "body = jsonb_set(body, '{status}', '\"x\"')");
    source.lag(Duration.ofMinutes(10));
    whilePaused =
        () -> {
          Instant now = clock.instant();
          source.change("o2", now, "status", "completed");
          replica.apply(
              new Change.Payload(key("o2"), now, source.aggregate("o2"), Lane.LIVE, null, now));
        };
    assertThat(found(scheduled())).containsExactly(Map.entry("late", Kind.MISSING));
  }

  // ---- guards

  @Test
  void manyDeletionsAreHeldBack() {
    fill(20);
    IntStream.range(0, 11).forEach(i -> insertExtra("ghost" + i, DAY.plusSeconds(i + 1)));
    source.put("new", DAY.plusSeconds(90));
    RunReport report = scheduled();
    assertThat(report.counts().heldBack()).isEqualTo(11);
    assertThat(report.counts().fixed()).isEqualTo(1);
    assertThat(replica.find(key("ghost1")).orElseThrow().deleted()).isFalse();
    assertThat(alertText()).contains("11 held back");

    // They are looked at again later, beyond every window, until they end.
    clock.advance(Duration.ofDays(20));
    assertThat(scheduled().counts().heldBack()).isEqualTo(11);
    RunReport later = scheduled();
    assertThat(later.counts().earlierChecked()).isEqualTo(11);
    assertThat(later.counts().suspects()).isZero();
    assertThat(later.agrees()).isFalse();
    IntStream.range(0, 11).forEach(i -> sync("ghost" + i));
    assertThat(scheduled().agrees()).isTrue();
    assertThat(scheduled().counts().earlierChecked()).isZero();
  }

  @Test
  void tenDeletionsAreNotMany() {
    fill(20);
    IntStream.range(0, 10).forEach(i -> insertExtra("ghost" + i, DAY.plusSeconds(i + 1)));
    assertThat(scheduled().counts().fixed()).isEqualTo(10);
    assertInSync();
  }

  @Test
  void moreThanHalfOfAFewIsHeldBack() {
    fill(2);
    IntStream.range(0, 3).forEach(i -> insertExtra("ghost" + i, DAY.plusSeconds(i + 1)));
    assertThat(scheduled().counts().heldBack()).isEqualTo(3);
  }

  @Test
  void anEmptyListingDeletesNothing() {
    fill(2);
    source.delete("o0");
    source.delete("o1");
    RunReport report = scheduled();
    assertThat(report.counts().heldBack()).isEqualTo(2);
    assertThat(replica.find(key("o1")).orElseThrow().deleted()).isFalse();
  }

  @Test
  void anEmptyListingOfWhatIsThereFailsTheRun() {
    fill(5);
    source.show(row -> false);
    source.fault(
        (path, query, number) ->
            path.equals("/v1/orders")
                ? Optional.of(
                    FakeSource.Response.json(
                        200, "{\"items\":[],\"total\":0,\"page\":{\"hasMore\":false}}"))
                : Optional.empty());

    RunReport report = scheduled();

    assertThat(report.run().state()).isEqualTo(RunState.FAILED);
    assertThat(report.run().error()).contains("left out 5 entities");
  }

  @Test
  void manyChangesAreHeldBackButNotInABackfill() {
    fill(1);
    IntStream.range(1, 150).forEach(i -> source.put("o" + i, DAY.plusSeconds(60L * i)));
    RunReport report = scheduled();
    assertThat(report.counts().heldBack()).isEqualTo(149);
    RunReport backfill =
        reconciler(ZoneOffset.UTC)
            .run(
                RunRequest.backfill(
                    "shop", "order", new Window(DAY, DAY.plus(Duration.ofDays(1))), RunMode.FIX));
    assertThat(backfill.counts().fixed()).isEqualTo(149);
    assertInSync();
  }

  @Test
  void aRouteThatIsBrokenMakesNoDeletions() {
    fill(20);
    insertExtra("ghost", DAY.plusSeconds(1));
    source.fault(
        (path, query, n) ->
            path.startsWith("/v1/orders/")
                ? Optional.of(Response.json(404, "{}"))
                : Optional.empty());
    RunReport report = scheduled();
    assertThat(report.state()).isEqualTo(RunState.FAILED);
    assertThat(report.run().error()).contains("404");
    assertThat(replica.find(key("ghost")).orElseThrow().deleted()).isFalse();
    assertThat(alertText()).contains("failed");
  }

  @Test
  void aRouteThatFindsEverythingMakesNoDeletions() {
    fill(20);
    insertExtra("ghost", DAY.plusSeconds(1));
    source.fault(
        (path, query, n) -> {
          String id = path.substring(path.lastIndexOf('/') + 1);
          return path.startsWith("/v1/orders/") && !id.equals("ghost")
              ? Optional.of(
                  Response.json(200, "{\"id\": \"%s\", \"updated_at\": \"%s\"}".formatted(id, DAY)))
              : Optional.empty();
        });
    assertThat(scheduled().state()).isEqualTo(RunState.FAILED);
  }

  // ---- failure

  @ParameterizedTest
  @ValueSource(ints = {401, 429, 500, 404})
  void aReadThatFailsInTheMiddleFailsTheRun(int status) {
    fill(30);
    use(source.config("{\"list\": {\"path\": \"/v1/orders\", \"pageSize\": 5}}"));
    insertExtra("ghost", DAY.plusSeconds(1));
    source.put("new", DAY.plusSeconds(31));
    source.fault(
        (path, query, n) ->
            Integer.parseInt(query.getOrDefault("offset", "0")) > 15
                ? Optional.of(Response.json(status, "{\"message\": \"pssst\"}"))
                : Optional.empty());
    RunReport report = scheduled();
    assertThat(report.state()).isEqualTo(RunState.FAILED);
    assertThat(report.run().error()).contains("shop").doesNotContain("pssst");
    assertThat(watermark()).isEmpty();
    assertThat(replica.find(key("ghost")).orElseThrow().deleted()).isFalse();
    assertThat(replica.find(key("new"))).isEmpty();
    assertThat(alertText()).contains("failed");

    source.noFaults();
    RunReport next = scheduled();
    assertThat(found(next))
        .containsExactlyInAnyOrderEntriesOf(Map.of("ghost", Kind.EXTRA, "new", Kind.MISSING));
    assertInSync();
  }

  @Test
  void anErrorOfOurOwnFailsTheRunAndGivesTheLeaseBack() {
    fill(2);
    source.put("late", NOW);
    whilePaused =
        () -> {
          throw new AssertionError("on purpose");
        };
    assertThatThrownBy(this::scheduled).isInstanceOf(AssertionError.class);
    assertThat(alertText()).contains("failed");
    whilePaused = () -> {};
    assertThat(scheduled().state()).isEqualTo(RunState.DONE);
  }

  // ---- one run at a time

  @Test
  void aHeldLeaseIsSaid() {
    fill(2);
    StartedRun first =
        reconciler(ZoneOffset.UTC).start(RunRequest.scheduled("shop", "order", RunMode.FIX, null));
    assertThatThrownBy(this::scheduled)
        .isInstanceOf(LeaseHeldException.class)
        .hasMessageContaining("test");
    assertThat(first.complete().state()).isEqualTo(RunState.DONE);
    assertThat(scheduled().state()).isEqualTo(RunState.DONE);
  }

  @Test
  void nothingIsWrittenOnceTheLeaseIsLost() {
    fill(5);
    source.put("late", NOW.minusSeconds(1));
    whilePaused =
        () -> {
          jdbi.useHandle(h -> h.execute("update lease set expires_at = '-infinity'"));
          assertThat(new Leases(jdbi).acquire("run:shop:order", "other", Duration.ofMinutes(1)))
              .isPresent();
        };
    assertThatThrownBy(this::scheduled).isInstanceOf(LeaseLostException.class);
    assertThat(replica.find(key("late"))).isEmpty();
    assertThat(watermark()).isEmpty();
    assertThat(alerts()).isZero();

    whilePaused = () -> {};
    jdbi.useHandle(h -> h.execute("update lease set expires_at = '-infinity'"));
    RunReport next = scheduled();
    assertThat(next.counts().fixed()).isEqualTo(1);
    assertThat(reconciler(ZoneOffset.UTC).report(next.id() - 1).orElseThrow().state())
        .isEqualTo(RunState.SUPERSEDED);
  }

  // ---- windows

  @Test
  void windowsChainByWatermark() {
    fill(5);
    RunReport first = scheduled();
    assertThat(first.run().from()).isEqualTo(Instant.parse("2026-05-10T00:00:00Z"));
    assertThat(first.run().to()).isEqualTo(NOW.minus(Duration.ofMinutes(2)));
    assertThat(watermark()).contains(NOW.minus(Duration.ofMinutes(2)));
    clock.advance(Duration.ofDays(3));
    RunReport second = scheduled();
    assertThat(second.run().from())
        .isEqualTo(NOW.minus(Duration.ofMinutes(2)).minus(Duration.ofDays(2)));
    assertThat(second.run().to())
        .isEqualTo(NOW.plus(Duration.ofDays(3)).minus(Duration.ofMinutes(2)));
  }

  @ParameterizedTest
  @org.junit.jupiter.params.provider.CsvSource({
    "2026-03-30T10:00:00Z, 2026-03-28T23:00:00Z",
    "2026-10-26T10:00:00Z, 2026-10-24T22:00:00Z"
  })
  void yesterdayBeginsInTheConfiguredZone(Instant now, Instant from) {
    clock.set(now);
    RunReport report =
        reconciler(ZoneId.of("Europe/Berlin"))
            .run(RunRequest.scheduled("shop", "order", RunMode.FIX, null));
    assertThat(report.run().from()).isEqualTo(from);
  }

  @Test
  void manualRunsAndReportsMoveNoWatermark() {
    fill(5);
    manual(DAY, NOW.minus(Duration.ofHours(1)), RunMode.FIX);
    reconciler(ZoneOffset.UTC).run(RunRequest.scheduled("shop", "order", RunMode.REPORT, null));
    assertThat(watermark()).isEmpty();
  }

  @Test
  void aManualRunLooksAtItsWindowAlone() {
    fill(5);
    source.put("before", DAY.minusSeconds(1));
    source.put("in", DAY);
    source.put("after", DAY.plusSeconds(3600));
    RunReport report = manual(DAY, DAY.plusSeconds(3600), RunMode.FIX);
    assertThat(found(report)).containsOnlyKeys("in");
    assertThat(report.run().listed()).isEqualTo(6);
  }

  @Test
  void anUnsettledEndIsRefused() {
    assertThatThrownBy(() -> manual(DAY, NOW, RunMode.FIX)).isInstanceOf(RunRefusedException.class);
    assertThatThrownBy(
            () ->
                reconciler(ZoneOffset.UTC)
                    .run(RunRequest.scheduled("shop", "nothing", RunMode.FIX, null)))
        .isInstanceOf(RunRefusedException.class);
  }

  @Test
  void aReportLeavesTheReplicaAlone() {
    fill(5);
    source.put("new", DAY.plusSeconds(5));
    insertExtra("ghost", DAY.plusSeconds(6));
    String before = dump();
    RunReport report = manual(DAY, NOW.minus(Duration.ofHours(1)), RunMode.REPORT);
    assertThat(report.counts().found()).isEqualTo(2);
    assertThat(report.counts().left()).isEqualTo(2);
    assertThat(dump()).isEqualTo(before);
  }

  private String dump() {
    return jdbi.withHandle(
        h ->
            h.select("select string_agg(e::text, chr(10) order by entity_id) from entity e")
                .mapTo(String.class)
                .one());
  }

  @Test
  void aBackfillIntoAnEmptyReplicaLoads() {
    IntStream.range(0, 300).forEach(i -> source.put("o" + i, DAY.plusSeconds(i)));
    RunReport report =
        reconciler(ZoneOffset.UTC)
            .run(
                RunRequest.backfill(
                    "shop", "order", new Window(DAY, DAY.plusSeconds(86400)), RunMode.FIX));
    assertThat(report.counts().loaded()).isEqualTo(300);
    assertThat(report.counts().found()).isZero();
    assertThat(report.agrees()).isTrue();
    assertThat(alerts()).isZero();
    assertThat(watermark()).contains(DAY.plusSeconds(86400));
    assertInSync();
    assertThat(replica.find(key("o1")).orElseThrow().lane()).isEqualTo(Lane.BACKFILL);
  }

  // ---- drift

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void theReportIsTheInjectedDriftToTheRow(long seed) {
    Random random = new Random(seed);
    use(
        source.config(
            "{\"list\": {\"path\": \"/v1/orders\", \"pageSize\": %d}}"
                .formatted(3 + random.nextInt(30))));
    int orders = 60 + random.nextInt(60);
    IntStream.range(0, orders)
        .forEach(
            i -> {
              // few seconds, so that many orders share one
              source.put(
                  "o" + i,
                  DAY.plusSeconds(random.nextInt(20)).plusNanos(random.nextInt(2) * 1000L));
              sync("o" + i);
            });
    Map<String, Kind> injected = new TreeMap<>();
    for (int i = 0; i < 15; i++) {
      String id = "o" + random.nextInt(orders);
      if (injected.containsKey(id)) {
        continue;
      }
      switch (random.nextInt(6)) {
        case 0 -> {
          source.put("n" + i, DAY.plusSeconds(random.nextInt(20)));
          injected.put("n" + i, Kind.MISSING);
        }
        case 1 -> {
          source.change(id, DAY.plusSeconds(100 + random.nextInt(5)), "status", "completed");
          injected.put(id, Kind.STALE);
        }
        case 2 -> {
          corrupt(id, "body = jsonb_set(body, '{grand_total}', '7.77')");
          injected.put(id, Kind.DIFFERENT);
        }
        case 3 -> {
          insertExtra("x" + i, DAY.plusSeconds(random.nextInt(20)));
          injected.put("x" + i, Kind.EXTRA);
        }
        case 4 -> {
          jdbi.useHandle(h -> h.execute("delete from entity where entity_id = ?", id));
          injected.put(id, Kind.MISSING);
        }
        default -> {
          // the source's change within one microsecond, a lost event
          ObjectNode order = source.orders().get(id);
          Instant modified = Instant.parse(order.get("updated_at").asText()).plusNanos(1);
          source.change(id, modified, "status", "completed");
          injected.put(id, Kind.STALE);
        }
      }
    }
    AtomicBoolean busy = new AtomicBoolean(true);
    Random live = new Random(seed + 1000);
    int[] n = {0};
    // Live traffic on other orders, all the while.
    source.afterEachPage(
        () -> {
          if (busy.get() && n[0]++ < 40) {
            String id = "live" + live.nextInt(5);
            source.put(id, clock.instant().plusNanos(n[0]));
            sync(id);
          }
        });
    RunReport report = scheduled();
    busy.set(false);

    assertThat(report.state())
        .as("seed %d: %s", seed, report.run().error())
        .isEqualTo(RunState.DONE);
    assertThat(found(report)).as("seed %d", seed).isEqualTo(injected);
    assertThat(report.counts().fixed()).isEqualTo(injected.size());
    assertThat(report.counts().residual()).isZero();
    assertInSync();
    assertThat(scheduled().agrees()).as("seed %d, again", seed).isTrue();
  }
}
