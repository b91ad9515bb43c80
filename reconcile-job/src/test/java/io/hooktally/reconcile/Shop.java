package io.hooktally.reconcile;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.store.Lane;
import io.hooktally.store.alert.Alert;
import io.hooktally.store.alert.Alerts;
import io.hooktally.store.replica.Change;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.replica.Replica;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Disagreements;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.SuspectState;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;

/** A source with orders, its replica, and a reconciler between them; time moves by hand. */
final class Shop implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-05-11T12:00:00Z");
  static final Instant DAY = Instant.parse("2026-05-10T00:00:00Z");

  final HandClock clock = new HandClock(NOW);
  final FakeSource source = new FakeSource(clock);
  final Jdbi jdbi;
  final Replica replica;
  SourceConfig config = source.config();
  SourceClient client = new SourceClient(config, clock);
  ReconcileSettings settings = ReconcileSettings.in(ZoneOffset.UTC);
  Runnable whilePaused = () -> {};

  Shop(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.replica = new Replica(jdbi);
  }

  /** With a JSON object merged over the entity type's configuration. */
  void configure(String entity) {
    client.close();
    config = source.config(entity);
    client = new SourceClient(config, clock);
  }

  /** As a process of its own would have it. */
  Reconciler reconciler(String instance) {
    return new Reconciler(
        jdbi,
        List.of(new SourceAccess(config, client)),
        settings,
        instance,
        length -> {
          clock.advance(length);
          whilePaused.run();
        });
  }

  RunReport run(Function<String, RunRequest> request) {
    return reconciler("test").run(request.apply("shop"));
  }

  RunReport scheduled() {
    return run(name -> RunRequest.scheduled(name, "order", RunMode.FIX, null));
  }

  RunReport sweep() {
    return run(name -> RunRequest.sweep(name, "order", RunMode.FIX, null));
  }

  EntityKey key(String id) {
    return new EntityKey("shop", "order", id);
  }

  Entity ours(String id) {
    return replica.find(key(id)).orElseThrow();
  }

  /** As the live way does: a read, applied. */
  void sync(String id) {
    var ticket = replica.beginRead(key(id));
    ReadResult read = client.read("order", id);
    replica.apply(
        read instanceof ReadResult.Found found
            ? new Change.Read(ticket, found.modified(), found.body(), Lane.LIVE, null)
            : new Change.Gone(ticket, Lane.LIVE, null));
  }

  void fill(int orders) {
    IntStream.range(0, orders)
        .forEach(
            i -> {
              source.put("o" + i, DAY.plus(Duration.ofMinutes(i)));
              sync("o" + i);
            });
  }

  void lose(String... ids) {
    for (String id : ids) {
      jdbi.useHandle(h -> h.execute("delete from entity where entity_id = ?", id));
    }
  }

  void corrupt(String id, String sql) {
    jdbi.useHandle(h -> h.execute("update entity set " + sql + " where entity_id = ?", id));
  }

  /** Its rows by id, with their states. */
  Map<String, SuspectState> states(long run) {
    return new Disagreements(jdbi)
        .list(run, EnumSet.allOf(SuspectState.class), "", 10_000).stream()
            .collect(Collectors.toMap(Disagreement::entityId, Disagreement::state));
  }

  /** Takes the alerts that have not been taken yet. */
  List<Alert> alerts() {
    Alerts alerts = new Alerts(jdbi);
    List<Alert> taken = alerts.claim(clock.instant(), Duration.ofMinutes(1), 100);
    taken.forEach(alert -> alerts.sent(alert.id()));
    return taken;
  }

  @Override
  public void close() {
    client.close();
    source.close();
  }
}
