package io.hooktally.reconcile.kill;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hooktally.reconcile.LeaseHeldException;
import io.hooktally.reconcile.ReconcileSettings;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.RunRequest;
import io.hooktally.reconcile.SourceAccess;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.store.Lane;
import io.hooktally.store.alert.Alerts;
import io.hooktally.store.replica.Change;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.replica.Replica;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Disagreements;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.Runs;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.run.Watermarks;
import io.hooktally.store.testing.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rule 10 with real processes: runs killed at every step, several that start at once, and one that
 * is stopped until another has taken over.
 */
class RunKillIT {
  static final String ENTITY = "{\"list\": {\"path\": \"/v1/orders\", \"pageSize\": 7}}";

  private static final Instant NOW = Instant.parse("2026-05-11T12:00:00Z");
  private static final Instant DAY = Instant.parse("2026-05-10T00:00:00Z");
  private static final RunRequest TODAY =
      RunRequest.scheduled("shop", "order", RunMode.FIX, LocalDate.of(2026, 5, 11));
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration LONG_LEASE = Duration.ofSeconds(30);
  private static final Duration FOREVER = Duration.ofHours(1);

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private final HandClock clock = new HandClock(NOW);
  private final FakeSource source = new FakeSource(clock);
  private final SourceConfig config = source.config(ENTITY);
  private final SourceClient client = new SourceClient(config, clock);
  private final Map<String, Kind> injected = new TreeMap<>();
  private Jdbi jdbi;
  private Replica replica;

  /** Where in the database a run is killed: before that row, in the middle of its transaction. */
  enum Step {
    FIRST_SUSPECT("disagreement", "new.state = 'suspect'", 1),
    LATER_SUSPECT("disagreement", "new.state = 'suspect'", 5),
    FIRST_CONFIRMED("disagreement", "new.state = 'confirmed'", 1),
    GUARDS("disagreement", "new.state = 'left'", 1),
    FIRST_FIX("entity", "new.lane = 'reconcile'", 1),
    LATER_FIX("entity", "new.lane = 'reconcile'", 6),
    FIX_WRITTEN_AND_NOT_NOTED("disagreement", "new.state = 'fixed'", 4),
    LAST_FIX("disagreement", "new.state = 'fixed'", 11),
    CLOSING_THE_BOOKS("disagreement", "new.open", 1),
    END("reconcile_run", "new.state = 'done'", 1),
    WATERMARK("watermark", "true", 1),
    ALERT("alert", "true", 1);

    private final String table;
    private final String condition;
    private final int nth;

    Step(String table, String condition, int nth) {
      this.table = table;
      this.condition = condition;
      this.nth = nth;
    }
  }

  @BeforeEach
  void drift() {
    jdbi = database.get().jdbi();
    replica = new Replica(jdbi);
    for (int i = 0; i < 30; i++) {
      base("o" + i, DAY.plusSeconds(60L * i));
    }
    for (int i = 0; i < 4; i++) {
      source.put("new" + i, DAY.plusSeconds(60L * i + 1));
      injected.put("new" + i, Kind.MISSING);
      source.change("o" + i, DAY.plusSeconds(7200 + i), "status", "completed");
      injected.put("o" + i, Kind.STALE);
    }
    base("ghost", DAY.plusSeconds(5));
    source.delete("ghost");
    injected.put("ghost", Kind.EXTRA);
    corrupt("o10", "body = jsonb_set(body, '{status}', '\"wrong\"')");
    injected.put("o10", Kind.DIFFERENT);
    corrupt("o11", "body = body - 'status'");
    injected.put("o11", Kind.DIFFERENT);
    corrupt("o12", "modified_second = modified_second + 60");
    injected.put("o12", Kind.AHEAD);
    jdbi.useHandle(
        handle -> {
          handle.execute("create table changed (entity_id text)");
          handle.execute(
              """
              create function note_change() returns trigger language plpgsql as $$
              begin
                insert into changed values (new.entity_id);
                return new;
              end $$
              """);
          handle.execute(
              """
              create trigger note_change after insert or update on entity
              for each row execute function note_change()
              """);
        });
  }

  @AfterEach
  void close() {
    client.close();
    source.close();
  }

  // ---- killed

  @ParameterizedTest
  @EnumSource(Step.class)
  void aRunKilledBeforeThatRowIsTakenUpByTheSchedule(Step step) throws Exception {
    killBefore(step);
    Run killed = assertNoSuccess();
    assertTakenUp(killed);
  }

  @ParameterizedTest
  @CsvSource({"false, 1", "false, 2", "false, 5", "true, 1", "true, 4", "true, 9"})
  void aRunKilledAtThatRequestIsTakenUpByTheSchedule(boolean single, int nth) throws Exception {
    CountDownLatch killed = new CountDownLatch(1);
    try (RunChild child = child(LEASE, FOREVER).ready()) {
      at(
          single,
          nth,
          () -> {
            child.kill();
            killed.countDown();
          });
      child.go();
      assertThat(killed.await(1, TimeUnit.MINUTES)).isTrue();
    }
    assertTakenUp(assertNoSuccess());
  }

  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"FIRST_CONFIRMED", "LATER_FIX", "WATERMARK"})
  void aKilledRunThatNobodyTakesUpIsSupersededByAnother(Step step) throws Exception {
    killBefore(step);
    Run killed = assertNoSuccess();
    RunReport next =
        onceTheLeaseHasExpired(RunRequest.scheduled("shop", "order", RunMode.FIX, null));
    assertThat(next.state()).as(next.run().error()).isEqualTo(RunState.DONE);
    assertThat(next.counts().addUp()).isTrue();
    assertThat(new Runs(jdbi).find(killed.id()).orElseThrow().state())
        .isEqualTo(RunState.SUPERSEDED);
    assertEndedWell();
  }

  private void killBefore(Step step) throws Exception {
    try (RunChild child = child(LEASE, FOREVER).ready();
        StopPoint stop = new StopPoint(jdbi, step.table, step.condition, step.nth)) {
      child.go();
      stop.awaitSomebody();
      child.kill();
    }
  }

  private Run assertNoSuccess() {
    source.noFaults();
    Run killed = newest();
    assertThat(killed.state()).isEqualTo(RunState.RUNNING);
    assertThat(new Watermarks(jdbi).find("shop", "order")).isEmpty();
    assertThat(new Alerts(jdbi).pending()).isZero();
    return killed;
  }

  // Under its own number, with the totals of the whole.
  private void assertTakenUp(Run killed) {
    RunReport report = onceTheLeaseHasExpired(TODAY);
    assertThat(report.id()).isEqualTo(killed.id());
    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(report.counts().byKind())
        .isEqualTo(
            Map.of(
                Kind.MISSING,
                4L,
                Kind.STALE,
                4L,
                Kind.EXTRA,
                1L,
                Kind.DIFFERENT,
                2L,
                Kind.AHEAD,
                1L));
    assertThat(report.counts().fixed()).isEqualTo(11);
    assertThat(report.counts().left()).isEqualTo(1);
    assertThat(report.counts().addUp()).isTrue();
    assertEndedWell();
  }

  private void assertEndedWell() {
    assertFixedOnce();
    assertThat(new Alerts(jdbi).pending()).isEqualTo(1);
    RunReport again = run(RunRequest.scheduled("shop", "order", RunMode.FIX, null));
    assertThat(again.counts().byKind()).isEqualTo(Map.of(Kind.AHEAD, 1L));
  }

  // ---- at once

  @Test
  void ofThreeProcessesThatStartAtOnceOneRuns() throws Exception {
    List<RunChild> children = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        children.add(child(LONG_LEASE, FOREVER));
      }
      for (RunChild child : children) {
        child.ready();
      }
      for (RunChild child : children) {
        child.go();
      }
      List<String> outcomes = new ArrayList<>();
      for (RunChild child : children) {
        outcomes.add(child.outcome().replaceAll(" .*", ""));
      }
      assertThat(outcomes).containsOnlyOnce("done").isSubsetOf("done", "held", "refused");
    } finally {
      children.forEach(RunChild::close);
    }
    assertThat(new Runs(jdbi).list(Long.MAX_VALUE, 10)).hasSize(1);
    assertThat(new Alerts(jdbi).pending()).isEqualTo(1);
    assertFixedOnce();
  }

  // ---- stopped

  @ParameterizedTest
  @CsvSource({"false, 3", "true, 2", "true, 8"})
  void aStoppedRunThatWasTakenOverWritesNothingOnceItGoesOn(boolean single, int nth)
      throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    try (RunChild child = child(LEASE, FOREVER).ready()) {
      at(
          single,
          nth,
          () -> {
            child.signal("STOP");
            stopped.countDown();
          });
      child.go();
      assertThat(stopped.await(1, TimeUnit.MINUTES)).isTrue();
      assertTakenOver(child);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"LATER_SUSPECT", "LATER_FIX", "END"})
  void aRunStoppedInATransactionIsTakenOverToo(Step step) throws Exception {
    try (RunChild child = child(LEASE, Duration.ofSeconds(1)).ready()) {
      try (StopPoint stop = new StopPoint(jdbi, step.table, step.condition, step.nth)) {
        child.go();
        stop.awaitSomebody();
        child.signal("STOP");
      }
      assertTakenOver(child);
    }
  }

  private void assertTakenOver(RunChild child) throws IOException, InterruptedException {
    source.noFaults();
    Run stopped = newest();
    RunReport next = onceTheLeaseHasExpired(TODAY);
    assertThat(next.state()).as(next.run().error()).isEqualTo(RunState.DONE);
    assertFixedOnce();
    String before = dump();

    child.signal("CONT");

    assertThat(child.outcome()).isEqualTo("lost");
    assertThat(dump()).isEqualTo(before);
    assertThat(new Runs(jdbi).find(stopped.id()).orElseThrow().state())
        .isNotEqualTo(RunState.RUNNING);
    assertThat(new Alerts(jdbi).pending()).isEqualTo(1);
  }

  // ---- what they share

  private interface Deed {
    void now() throws Exception;
  }

  /** At the nth request for a page, or for a single order, before it is answered. */
  private void at(boolean single, int nth, Deed deed) {
    AtomicInteger requests = new AtomicInteger();
    source.fault(
        (path, query, number) -> {
          if (path.startsWith("/v1/orders/") == single && requests.incrementAndGet() == nth) {
            try {
              deed.now();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }
          return Optional.empty();
        });
  }

  private RunChild child(Duration lease, Duration idle) throws IOException {
    return RunChild.start(
        database.get().address(),
        source.url(),
        NOW.toString(),
        lease.toString(),
        idle.toString(),
        requireNonNull(TODAY.scheduledFor()).toString());
  }

  private RunReport run(RunRequest request) {
    return new Reconciler(
            jdbi,
            List.of(new SourceAccess(config, client)),
            new ReconcileSettings(ZoneOffset.UTC, Duration.ofDays(2), LEASE, Duration.ofDays(7)),
            "parent",
            clock::advance)
        .run(request);
  }

  private RunReport onceTheLeaseHasExpired(RunRequest request) {
    return requireNonNull(
        await()
            .atMost(Duration.ofSeconds(30))
            .ignoreException(LeaseHeldException.class)
            .until(() -> run(request), report -> true));
  }

  private Run newest() {
    return new Runs(jdbi).list(Long.MAX_VALUE, 1).get(0);
  }

  /** All that was injected was fixed, in whichever run, and each entity changed once. */
  private void assertFixedOnce() {
    Map<String, Kind> fixed = new TreeMap<>();
    Disagreements disagreements = new Disagreements(jdbi);
    for (Run run : new Runs(jdbi).list(Long.MAX_VALUE, 10)) {
      for (Disagreement one : disagreements.list(run.id(), Set.of(SuspectState.FIXED), "", 1000)) {
        assertThat(fixed.put(one.entityId(), requireNonNull(one.kind())))
            .as(one.entityId() + " was fixed twice")
            .isNull();
      }
    }
    Map<String, Kind> expected = new TreeMap<>(injected);
    expected.values().remove(Kind.AHEAD);
    assertThat(fixed).isEqualTo(expected);
    List<String> changed =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery("select entity_id from changed order by 1")
                    .mapTo(String.class)
                    .list());
    assertThat(changed).containsExactlyElementsOf(expected.keySet());
    Map<String, Entity> rows = replica.find("shop", "order", source.orders().keySet());
    source
        .orders()
        .forEach(
            (id, order) ->
                assertThat(requireNonNull(rows.get(id).body()).get("status"))
                    .isEqualTo(order.get("status")));
  }

  private void base(String id, Instant at) {
    source.put(id, at);
    replica.apply(
        new Change.Payload(
            new EntityKey("shop", "order", id), at, source.aggregate(id), Lane.LIVE, null, NOW));
  }

  private void corrupt(String id, String set) {
    jdbi.useHandle(h -> h.execute("update entity set " + set + " where entity_id = ?", id));
  }

  private String dump() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select string_agg(line, chr(10) order by line) from (
                      select e::text as line from entity e
                      union all select r::text from reconcile_run r
                      union all select d::text from disagreement d
                      union all select w::text from watermark w
                      union all select a::text from alert a) as lines
                    """)
                .mapTo(String.class)
                .one());
  }
}
