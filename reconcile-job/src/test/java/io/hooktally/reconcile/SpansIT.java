package io.hooktally.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.store.replica.CanonicalJson;
import io.hooktally.store.run.Disagreements;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** List and replica are walked side by side, span by span: nothing falls between two spans. */
class SpansIT {
  private static final Instant NOW = Instant.parse("2026-05-11T12:00:00Z");
  private static final Instant DAY = Instant.parse("2026-05-10T00:00:00Z");

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private final HandClock clock = new HandClock(NOW);
  private final FakeSource source = new FakeSource(clock);
  private SourceConfig config = source.config();
  private SourceClient client = new SourceClient(config, clock);

  @AfterEach
  void close() {
    client.close();
    source.close();
  }

  private Jdbi jdbi() {
    return database.get().jdbi();
  }

  private RunReport reconcile(RunMode mode) {
    Reconciler reconciler =
        new Reconciler(
            jdbi(),
            List.of(new SourceAccess(config, client)),
            ReconcileSettings.in(ZoneOffset.UTC),
            "test",
            clock::advance);
    Window window = new Window(DAY, DAY.plus(Duration.ofDays(1)));
    return reconciler.run(RunRequest.manual("shop", "order", window, mode));
  }

  /** What the replica would have by now, written at once. */
  private void hold(Map<String, Instant> orders) {
    jdbi()
        .useHandle(
            handle -> {
              PreparedBatch batch =
                  handle.prepareBatch(
                      """
                      insert into entity (source, entity_type, entity_id, epoch, modified_second,
                          modified_nano, read_number, deleted, body, body_hash, lane, changed_at)
                      values ('shop', 'order', :id, 0, :second, :nano, 0, false,
                          cast(:body as jsonb), decode(:hash, 'hex'), 'live', now())
                      """);
              orders.forEach(
                  (id, modified) ->
                      batch
                          .bind("id", id)
                          .bind("second", modified.getEpochSecond())
                          .bind("nano", modified.getNano())
                          .bind("body", source.aggregate(id).toString())
                          .bind("hash", CanonicalJson.hash(source.aggregate(id)))
                          .add());
              batch.execute();
            });
  }

  private Map<String, Kind> found(RunReport report) {
    return new Disagreements(jdbi())
        .list(report.id(), Set.of(SuspectState.LEFT, SuspectState.FIXED), "", 10_000).stream()
            .collect(
                Collectors.toMap(
                    one -> one.entityId(), one -> one.kind(), (a, b) -> a, TreeMap::new));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void fewTimesForManyRowsAndWhateverDiffersAmongThem(long seed) {
    Random random = new Random(seed);
    Map<String, Instant> orders = new TreeMap<>();
    Map<String, Kind> injected = new TreeMap<>();
    for (int i = 0; i < 1500; i++) {
      Instant modified = DAY.plusSeconds(3600L * random.nextInt(12)).plusNanos(random.nextInt(2));
      source.put("o" + i, modified);
      orders.put("o" + i, modified);
    }
    hold(orders);
    for (String id : orders.keySet()) {
      switch (random.nextInt(60)) {
        case 0 -> {
          source.delete(id);
          injected.put(id, Kind.EXTRA);
        }
        case 1 -> {
          source.change(id, orders.get(id).plusNanos(1 + random.nextInt(3)), "status", "held");
          injected.put(id, Kind.STALE);
        }
        case 2 -> {
          forget(id);
          injected.put(id, Kind.MISSING);
        }
        case 3 -> {
          execute(
              "update entity set body = body || '{\"status\": \"x\"}' where entity_id = :id", id);
          injected.put(id, Kind.DIFFERENT);
        }
        case 4 -> {
          execute("update entity set modified_nano = modified_nano + 7 where entity_id = :id", id);
          injected.put(id, Kind.AHEAD);
        }
        default -> {
          // Stays as it is on both sides.
        }
      }
    }

    RunReport report = reconcile(RunMode.REPORT);

    assertThat(report.state())
        .as("seed %d: %s", seed, report.run().error())
        .isEqualTo(RunState.DONE);
    assertThat(found(report)).as("seed %d", seed).containsExactlyInAnyOrderEntriesOf(injected);
    assertThat(injected.values()).as("seed %d", seed).contains(Kind.values());
  }

  @Test
  void moreRowsOfOneTimeThanASpanHolds() {
    Map<String, Instant> orders = new TreeMap<>();
    for (int i = 0; i < 5700; i++) {
      Instant modified = DAY.plus(Duration.ofHours(i < 5600 ? 5 : i < 5650 ? 4 : 6));
      source.put("o" + i, modified);
      orders.put("o" + i, modified);
    }
    hold(orders);
    source.delete("o3000");
    forget("o2999");
    execute("update entity set body = body || '{\"status\": \"x\"}' where entity_id = :id", "o10");

    RunReport report = reconcile(RunMode.FIX);

    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(report.run().listed()).isEqualTo(5699);
    assertThat(found(report))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("o3000", Kind.EXTRA, "o2999", Kind.MISSING, "o10", Kind.DIFFERENT));
    assertThat(reconcile(RunMode.FIX).agrees()).isTrue();
  }

  // ---- depth aggregate

  @Test
  void whatTheListDoesNotCarryIsComparedAtDepthAggregate() {
    client.close();
    config = source.config("{\"compare\": {\"depth\": \"aggregate\"}}");
    client = new SourceClient(config, clock);
    Map<String, Instant> orders = new TreeMap<>();
    for (int i = 0; i < 50; i++) {
      Instant modified = DAY.plusSeconds(i);
      source.put("o" + i, modified);
      orders.put("o" + i, modified);
    }
    hold(orders);
    execute("update entity set body = body || '{\"positions\": []}' where entity_id = :id", "o7");
    execute("update entity set body = body || '{\"unheard_of\": 1}' where entity_id = :id", "o8");

    RunReport report = reconcile(RunMode.FIX);

    assertThat(report.state()).as(report.run().error()).isEqualTo(RunState.DONE);
    assertThat(found(report))
        .containsExactlyInAnyOrderEntriesOf(Map.of("o7", Kind.DIFFERENT, "o8", Kind.DIFFERENT));
    assertThat(report.run().covered()).contains("positions");
    assertThat(reconcile(RunMode.FIX).agrees()).isTrue();
  }

  @Test
  void whatTheListDoesNotCarryIsNotVouchedForAtDepthList() {
    source.put("o1", DAY.plusSeconds(5));
    hold(Map.of("o1", DAY.plusSeconds(5)));
    execute("update entity set body = body || '{\"positions\": []}' where entity_id = :id", "o1");
    RunReport report = reconcile(RunMode.FIX);
    assertThat(report.agrees()).isTrue();
    assertThat(report.run().covered()).doesNotContain("positions");
  }

  // ---- what other consumers are told

  @Test
  void otherConsumersAreToldOfWhatAFixChangedAndTheReplicaIsNot() {
    execute("insert into consumer (name, source) values (:id, 'shop')", "replica");
    execute(
        "insert into consumer (name, source, topic_pattern) values (:id, 'shop', '^hooktally[.].*$')",
        "mirror");
    execute(
        "insert into consumer (name, source, topic_pattern) values (:id, 'shop', '^order[.].*$')",
        "audit");
    source.put("o1", DAY.plusSeconds(5));
    source.put("o2", DAY.plusSeconds(6));
    hold(Map.of("o2", DAY.plusSeconds(6)));
    source.delete("o2");

    reconcile(RunMode.FIX);

    List<String> told =
        jdbi()
            .withHandle(
                handle ->
                    handle
                        .createQuery(
                            """
                            select concat_ws(' | ', d.consumer, d.lane, e.topic,
                                regexp_replace(d.event_id, '[0-9]+$', 'N'),
                                convert_from(p.body, 'UTF8')::jsonb -> 'entity' ->> 'status')
                            from dispatch d
                            join processed_event e using (source, event_id)
                            join event_payload p on p.event_seq = e.seq
                            order by e.topic
                            """)
                        .mapTo(String.class)
                        .list());
    assertThat(told)
        .containsExactly(
            "mirror | reconcile | hooktally.order.changed | run 1 order o1 read N | placed",
            "mirror | reconcile | hooktally.order.deleted | run 1 order o2 read N");
    reconcile(RunMode.FIX);
    assertThat(count("select count(*) from dispatch")).as("nothing more changed").isEqualTo(2);
    assertThat(count("select sum(dispatched) from dispatch_count")).isEqualTo(2);
  }

  @Test
  void nothingIsWrittenWhereNobodyTakesIt() {
    execute("insert into consumer (name, source) values (:id, 'shop')", "replica");
    source.put("o1", DAY.plusSeconds(5));
    assertThat(reconcile(RunMode.FIX).counts().fixed()).isEqualTo(1);
    assertThat(count("select count(*) from processed_event")).isZero();
  }

  private long count(String sql) {
    return jdbi().withHandle(handle -> handle.createQuery(sql).mapTo(Long.class).one());
  }

  private void forget(String id) {
    execute("delete from entity where entity_id = :id", id);
  }

  private void execute(String sql, String id) {
    jdbi().useHandle(handle -> handle.createUpdate(sql).bind("id", id).execute());
  }
}
