package io.hooktally.reconcile.drift;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.ReconcileSettings;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.RunRequest;
import io.hooktally.reconcile.SourceAccess;
import io.hooktally.reconcile.Window;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.store.Json;
import io.hooktally.store.replica.Alteration;
import io.hooktally.store.replica.CanonicalJson;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.Replica;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Disagreements;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rules 5 to 8 over days drawn from seeds: the report is what was injected, to the row, the replica
 * is the source afterwards, and a faultless day reports nothing, all under live traffic. More seeds
 * with {@code -Ddrift.seeds=5000}, one alone with {@code -Ddrift.first=17 -Ddrift.seeds=1}.
 */
class DriftIT {
  private static final Set<SuspectState> COUNTS =
      Set.of(SuspectState.FIXED, SuspectState.LEFT, SuspectState.HELD_BACK, SuspectState.FAILED);

  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  private static final Map<Fate, Integer> LIVED = new EnumMap<>(Fate.class);
  private static final Map<String, Integer> SETTINGS = new TreeMap<>();

  static LongStream seeds() {
    long first = Long.getLong("drift.first", 1);
    return LongStream.range(first, first + Long.getLong("drift.seeds", 200));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theReportIsWhatWasInjectedToTheRow(long seed) {
    Random random = new Random(seed);
    Setting setting = Setting.of(seed, random);
    HandClock clock = new HandClock(setting.now().minus(setting.skew()));
    InstantSource sourceClock = () -> clock.instant().plus(setting.skew());
    try (FakeSource source = new FakeSource(sourceClock);
        Scene scene = new Scene(seed, random, setting, clock, sourceClock, source)) {
      scene.play();
    }
  }

  @AfterAll
  static void everyFateWasLived() {
    if (seeds().count() >= 200) {
      assertThat(LIVED.keySet()).containsExactlyInAnyOrder(Fate.values());
      assertThat(LIVED.values()).allSatisfy(times -> assertThat(times).isGreaterThan(5));
      assertThat(SETTINGS.keySet())
          .contains(
              "faultless",
              "past end",
              "skew 37",
              "skew -37",
              "skew 5400",
              "skew -5400",
              "lag 300",
              "lag 900",
              "touched",
              "live traffic");
    }
  }

  /** One seed's source, replica and run. */
  private static final class Scene implements AutoCloseable {
    private final Jdbi jdbi = DATABASE.get().jdbi();
    private final Replica replica = new Replica(jdbi);
    private final long seed;
    private final Random random;
    private final Setting setting;
    private final HandClock clock;
    private final InstantSource sourceClock;
    private final FakeSource source;
    private final String name;
    private final SourceConfig config;
    private final SourceClient client;
    private final SourceClient liveClient;
    private final LiveWay live;

    Scene(
        long seed,
        Random random,
        Setting setting,
        HandClock clock,
        InstantSource sourceClock,
        FakeSource source) {
      this.seed = seed;
      this.random = random;
      this.setting = setting;
      this.clock = clock;
      this.sourceClock = sourceClock;
      this.source = source;
      this.name = "s" + seed;
      this.config =
          source
              .config(
                  "{\"list\": {\"path\": \"/v1/orders\", \"pageSize\": %d}}"
                      .formatted(setting.pageSize()))
              .named(name);
      this.client = new SourceClient(config, clock);
      this.liveClient = new SourceClient(config, clock);
      this.live = new LiveWay(jdbi, liveClient, name);
    }

    void play() {
      Day day = new Day(jdbi, source, live, setting, name, random);
      Map<String, Fate> fates = day.play();
      client.probe("order");
      source.show(row -> !day.hidden().contains(row.get("id").asText()));
      source.listedAs(row -> noted(row, setting.notation()));
      source.omit((setting.says() & 1) != 0, (setting.says() & 2) != 0, false);
      source.lag(setting.lag());

      Set<String> touched = touched(fates);
      Traffic traffic =
          new Traffic(source, sourceClock, live, setting.lag(), random, List.copyOf(touched));
      source.fault(
          (path, query, number) -> {
            traffic.onRequest();
            return Optional.empty();
          });
      traffic.flow(true);
      RunReport report = run(traffic, first());
      traffic.flow(false);
      settle(traffic);
      count(fates, traffic, touched);

      Map<String, Kind> expected = expected(fates, touched);
      assertThat(report.state())
          .as("seed %d: %s", seed, report.run().error())
          .isEqualTo(RunState.DONE);
      assertThat(found(report, touched)).as("seed %d: %s", seed, setting).isEqualTo(expected);
      assertThat(report.counts().addUp()).isTrue();
      assertThat(report.counts().residual()).as("seed %d", seed).isZero();
      assertThat(report.counts().heldBack()).as("seed %d", seed).isZero();
      assertThat(report.counts().failed()).as("seed %d", seed).isZero();
      if (setting.faultless()) {
        assertThat(report.agrees()).as("seed %d", seed).isTrue();
      }
      Set<String> open = stillDifferent(fates);
      Set<String> openOrTouched = new HashSet<>(open);
      openOrTouched.addAll(touched);
      assertInSync(openOrTouched);

      RunReport second = run(traffic, RunRequest.scheduled(name, "order", RunMode.FIX, null));
      assertThat(found(second, touched)).as("seed %d, again", seed).isEqualTo(later(fates));
      assertInSync(forGood(fates));
    }

    private RunRequest first() {
      return setting.pastEnd()
          ? RunRequest.manual(name, "order", new Window(setting.from(), setting.to()), RunMode.FIX)
          : RunRequest.scheduled(name, "order", RunMode.FIX, null);
    }

    private RunReport run(Traffic traffic, RunRequest request) {
      return new Reconciler(
              jdbi,
              List.of(new SourceAccess(config, client)),
              ReconcileSettings.in(setting.zone()),
              "test",
              length -> {
                clock.advance(length);
                traffic.onPause();
              })
          .run(request);
    }

    // All that is under way arrives, and what changed late leaves the next window's end behind.
    private void settle(Traffic traffic) {
      while (!traffic.isAllDelivered()) {
        clock.advance(Duration.ofSeconds(1));
        traffic.onPause();
      }
      clock.advance(Duration.ofMinutes(10));
    }

    private Set<String> touched(Map<String, Fate> fates) {
      List<String> drifted = new ArrayList<>();
      fates.forEach(
          (id, fate) -> {
            if (fate.reported != null && fate.reported != Kind.AHEAD && fate != Fate.LOST_FUTURE) {
              drifted.add(id);
            }
          });
      Collections.shuffle(drifted, random);
      return Set.copyOf(drifted.subList(0, Math.min(drifted.size(), random.nextInt(3))));
    }

    private Map<String, Kind> expected(Map<String, Fate> fates, Set<String> without) {
      Map<String, Kind> expected = new TreeMap<>();
      fates.forEach(
          (id, fate) -> {
            if (fate.reported != null && !without.contains(id)) {
              expected.put(id, fate.reported);
            }
          });
      return expected;
    }

    /**
     * What the first run did not end or did not cover, and the second one, a scheduled one, does.
     */
    private Map<String, Kind> later(Map<String, Fate> fates) {
      Map<String, Kind> later = new TreeMap<>();
      fates.forEach(
          (id, fate) -> {
            switch (fate) {
              case TIME_SET_AHEAD, TIME_SET_INTO_THE_WINDOW -> later.put(id, Kind.AHEAD);
              case EXTRA_AFTER_THE_END -> later.put(id, Kind.EXTRA);
              case AT_THE_END_OF_THE_WINDOW -> later.put(id, Kind.MISSING);
              case MOVED_BEYOND_THE_WINDOW -> later.put(id, Kind.STALE);
              case JUST_BEFORE_THE_WINDOW -> {
                // a second scheduled run looks back behind the first one's start
                if (!setting.pastEnd()) {
                  later.put(id, Kind.MISSING);
                }
              }
              default -> {}
            }
          });
      return later;
    }

    private Set<String> stillDifferent(Map<String, Fate> fates) {
      Set<String> open = new HashSet<>(later(fates).keySet());
      open.addAll(forGood(fates));
      return open;
    }

    private Set<String> forGood(Map<String, Fate> fates) {
      Set<String> open = new HashSet<>();
      fates.forEach(
          (id, fate) -> {
            switch (fate) {
              case DIFFERENT_FOR_DAYS, EXTRA_FOR_DAYS, TIME_SET_AHEAD, TIME_SET_INTO_THE_WINDOW ->
                  open.add(id);
              case JUST_BEFORE_THE_WINDOW -> {
                if (setting.pastEnd()) {
                  open.add(id);
                }
              }
              default -> {}
            }
          });
      return open;
    }

    private Map<String, Kind> found(RunReport report, Collection<String> without) {
      Map<String, Kind> found = new TreeMap<>();
      for (Disagreement one : new Disagreements(jdbi).list(report.id(), COUNTS, "", 10_000)) {
        if (!one.earlier() && !one.loaded() && !without.contains(one.entityId())) {
          found.put(one.entityId(), requireNonNull(one.kind()));
        }
      }
      return found;
    }

    private void assertInSync(Set<String> without) {
      List<String> held =
          jdbi.withHandle(
              handle ->
                  handle
                      .createQuery("select entity_id from entity where source = ? and not deleted")
                      .bind(0, name)
                      .mapTo(String.class)
                      .list());
      Set<String> ours = new TreeSet<>(held);
      Set<String> theirs = new TreeSet<>(source.orders().keySet());
      ours.removeAll(without);
      theirs.removeAll(without);
      theirs.removeIf(id -> id.startsWith("older"));
      assertThat(ours).as("seed %d", seed).isEqualTo(theirs);
      Map<String, Entity> rows = replica.find(name, "order", theirs);
      for (String id : theirs) {
        assertThat(plain(rows.get(id).body().deepCopy()))
            .as("seed %d: %s", seed, id)
            .isEqualTo(plain(source.aggregate(id)));
      }
    }

    // Spelled out once more, so that the product's comparison is not its own witness.
    private static String plain(ObjectNode order) {
      order.put(
          "updated_at",
          OffsetDateTime.parse(order.get("updated_at").asText()).toInstant().toString());
      if (order.path("hold_reason").isNull()) {
        order.remove("hold_reason");
      }
      return CanonicalJson.write(
          Alteration.of(Json.parse(order.toString().getBytes(StandardCharsets.UTF_8))).body());
    }

    private void count(Map<String, Fate> fates, Traffic traffic, Set<String> touched) {
      fates.values().forEach(fate -> LIVED.merge(fate, 1, Integer::sum));
      SETTINGS.merge(setting.faultless() ? "faultless" : "faulty", 1, Integer::sum);
      SETTINGS.merge(setting.pastEnd() ? "past end" : "open end", 1, Integer::sum);
      SETTINGS.merge("skew " + setting.skew().toSeconds(), 1, Integer::sum);
      SETTINGS.merge("lag " + setting.lag().toMillis(), 1, Integer::sum);
      SETTINGS.merge(touched.isEmpty() ? "untouched" : "touched", 1, Integer::sum);
      SETTINGS.merge(traffic.steps() > 3 ? "live traffic" : "quiet", 1, Integer::sum);
    }

    @Override
    public void close() {
      client.close();
      liveClient.close();
    }
  }

  /** The list writes times and numbers otherwise than single reads do. */
  private static ObjectNode noted(ObjectNode row, int notation) {
    Instant modified = Instant.parse(row.get("updated_at").asText());
    switch (notation) {
      case 1 -> {
        row.put("updated_at", Day.inZone(modified, ZoneOffset.ofHours(2)));
        row.putNull("hold_reason");
      }
      case 2 -> {
        row.put("updated_at", modified.toString().replace("T", " ").replace("Z", " UTC"));
        row.set(
            "grand_total",
            Json.parse(
                row.get("grand_total")
                    .decimalValue()
                    .setScale(6)
                    .toPlainString()
                    .getBytes(StandardCharsets.UTF_8)));
      }
      case 3 -> {
        row.put("updated_at", modified.toString().replace("Z", "+0000"));
        row.put("list_only", "x");
      }
      default -> {}
    }
    return row;
  }
}
