package io.hooktally.reconcile.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hooktally.reconcile.Pause;
import io.hooktally.reconcile.ReconcileSettings;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.SourceAccess;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunFilter;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.Runs;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReconcileScheduleIT {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private final HandClock clock = new HandClock(Instant.parse("2026-03-27T12:00:00Z"));
  private final FakeSource source = new FakeSource(clock);
  private Jdbi jdbi;
  private SourceClient client;

  @BeforeEach
  void open() {
    jdbi = database.get().jdbi();
    client = new SourceClient(source.config(), clock);
  }

  @AfterEach
  void close() {
    client.close();
    source.close();
  }

  private DailyRuns runs(String at, Pause pause) {
    return runs(at, BERLIN, SweepPlan.OFF, pause);
  }

  private DailyRuns runs(String at, ZoneId zone, SweepPlan sweep, Pause pause) {
    SourceConfig config = source.config();
    Reconciler reconciler =
        new Reconciler(
            jdbi,
            List.of(new SourceAccess(config, client)),
            ReconcileSettings.in(zone),
            "test",
            pause);
    return new DailyRuns(
        reconciler,
        List.of(new ScheduledTarget("shop", "order")),
        new DailyTime(LocalTime.parse(at), zone),
        RunMode.FIX,
        sweep,
        clock,
        pause);
  }

  private List<LocalDate> days() {
    return new Runs(jdbi)
        .list(Long.MAX_VALUE, 1000).stream().map(Run::scheduledFor).sorted().toList();
  }

  @Test
  void oneRunPerCalendarDayAlsoOfDaysOf23And25Hours() throws InterruptedException {
    DailyRuns runs = runs("02:30", clock::advance);
    runs.begin();
    for (int hour = 0; hour < 24 * 4; hour++) {
      clock.advance(Duration.ofMinutes(30));
      runs.runDue();
      runs.runDue();
      clock.advance(Duration.ofMinutes(30));
    }
    assertThat(days())
        .containsExactly(
            LocalDate.of(2026, 3, 28),
            LocalDate.of(2026, 3, 29),
            LocalDate.of(2026, 3, 30),
            LocalDate.of(2026, 3, 31));
    clock.set(Instant.parse("2026-10-24T12:00:00Z"));
    for (int half = 0; half < 48 * 2; half++) {
      runs.runDue();
      clock.advance(Duration.ofMinutes(30));
    }
    assertThat(days().subList(4, days().size()))
        .containsExactly(
            LocalDate.of(2026, 10, 24), LocalDate.of(2026, 10, 25), LocalDate.of(2026, 10, 26));
  }

  @Test
  void daysMissedHaveOneRunTogether() throws InterruptedException {
    DailyRuns runs = runs("02:00", clock::advance);
    runs.begin();
    clock.set(Instant.parse("2026-03-28T02:10:00Z"));
    runs.runDue();
    clock.set(Instant.parse("2026-04-03T02:10:00Z"));
    runs.runDue();
    runs.runDue();
    assertThat(days()).containsExactly(LocalDate.of(2026, 3, 28), LocalDate.of(2026, 4, 3));
    Run last = new Runs(jdbi).list(Long.MAX_VALUE, 1).get(0);
    assertThat(last.from()).isBefore(Instant.parse("2026-03-28T02:10:00Z"));
  }

  @Test
  void aZoneWithoutMidnightHasItsRunThatDayToo() throws InterruptedException {
    ZoneId cairo = ZoneId.of("Africa/Cairo");
    // 2026-04-24 begins at 01:00 there.
    clock.set(Instant.parse("2026-04-22T12:00:00Z"));
    DailyRuns runs = runs("00:00", cairo, SweepPlan.OFF, clock::advance);
    runs.begin();
    for (int half = 0; half < 48 * 3; half++) {
      clock.advance(Duration.ofMinutes(30));
      runs.runDue();
    }
    assertThat(days())
        .containsExactly(
            LocalDate.of(2026, 4, 23), LocalDate.of(2026, 4, 24), LocalDate.of(2026, 4, 25));
  }

  @Test
  void daysOf23And25HoursAreWindowsFromMidnightToMidnight() throws InterruptedException {
    for (String[] day :
        new String[][] {
          {"2026-03-30T03:00:00Z", "2026-03-28T23:00:00Z"},
          {"2026-10-26T03:00:00Z", "2026-10-24T22:00:00Z"}
        }) {
      jdbi.useHandle(h -> h.execute("truncate watermark, schedule, reconcile_run cascade"));
      clock.set(Instant.parse(day[0]).minus(Duration.ofHours(12)));
      DailyRuns runs = runs("02:30", clock::advance);
      runs.begin();
      clock.set(Instant.parse(day[0]));
      runs.runDue();
      assertThat(new Runs(jdbi).list(Long.MAX_VALUE, 1).get(0).from())
          .isEqualTo(Instant.parse(day[1]));
    }
  }

  @Test
  void everyMonthHasOneSweepAndAFailedOneIsTriedAgainTheNextDay() throws InterruptedException {
    DailyRuns runs = runs("02:00", BERLIN, SweepPlan.MONTHLY, clock::advance);
    runs.begin();
    clock.set(Instant.parse("2026-03-31T02:10:00Z"));
    runs.runDue();
    assertThat(sweeps()).as("March began before anything was scheduled").isEmpty();

    AtomicInteger broken = new AtomicInteger(1);
    source.fault(
        (path, query, number) ->
            query.getOrDefault("order", "").equals("created_at.desc") && broken.get() == 1
                ? java.util.Optional.of(
                    io.hooktally.reconcile.testing.FakeSource.Response.json(404, "{}"))
                : java.util.Optional.empty());
    clock.set(Instant.parse("2026-04-01T02:10:00Z"));
    runs.runDue();
    runs.runDue();
    broken.set(0);
    for (int day = 0; day < 40; day++) {
      clock.advance(Duration.ofDays(1));
      runs.runDue();
    }
    assertThat(sweeps()).containsExactly("2026-04-01 failed", "2026-04-02 done", "2026-05-01 done");
  }

  private List<String> sweeps() {
    return new Runs(jdbi)
        .list(new RunFilter("shop", "order", RunReason.SWEEP, null), Long.MAX_VALUE, 1000).stream()
            .map(run -> run.scheduledFor() + " " + run.state().text())
            .sorted()
            .toList();
  }

  @Test
  void whatWasDueBeforeAnythingWasScheduledIsNotMissed() throws InterruptedException {
    DailyRuns runs = runs("02:00", clock::advance);
    runs.begin();
    runs.runDue();
    assertThat(days()).isEmpty();
  }

  @Test
  void errorsDoNotStopTheSchedule() throws InterruptedException {
    AtomicInteger pauses = new AtomicInteger();
    DailyRuns runs =
        runs(
            "02:00",
            length -> {
              clock.advance(length);
              if (pauses.incrementAndGet() == 1) {
                throw new AssertionError("on purpose");
              }
            });
    runs.begin();
    clock.set(Instant.parse("2026-03-28T02:10:00Z"));
    source.put("late", clock.instant());
    runs.runDue();
    clock.advance(Duration.ofDays(1));
    runs.runDue();
    assertThat(days()).hasSize(2);
    assertThat(new Runs(jdbi).list(Long.MAX_VALUE, 1).get(0).state().text()).isEqualTo("done");
  }

  @Test
  void aRunAtWorkIsWaitedFor() throws InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    DailyRuns runs =
        runs(
            "02:00",
            length -> {
              clock.advance(length);
              if (looks.incrementAndGet() == 3) {
                jdbi.useHandle(h -> h.execute("update lease set expires_at = '-infinity'"));
              }
            });
    runs.begin();
    assertThat(
            new io.hooktally.store.Leases(jdbi)
                .acquire("run:shop:order", "other", Duration.ofMinutes(5)))
        .isPresent();
    clock.set(Instant.parse("2026-03-28T02:10:00Z"));
    runs.runDue();
    assertThat(looks).hasValue(3);
    assertThat(days()).hasSize(1);
  }

  @Test
  void quartzWakesItClusteredAndKeepsItsTrigger() {
    DailyRuns runs = runs("02:00", clock::advance);
    ReconcileSchedule first = new ReconcileSchedule(database.get().dataSource(), runs, "a");
    ReconcileSchedule second = new ReconcileSchedule(database.get().dataSource(), runs, "b");
    first.start();
    second.start();
    clock.set(Instant.parse("2026-03-28T02:10:00Z"));
    String trigger = trigger();
    // As if the hour had come: Quartz lives by the system's clock.
    due("2 seconds");
    await().atMost(Duration.ofSeconds(90)).until(() -> completed() == 1);
    first.stop();
    second.stop();

    // A start with the same time leaves the trigger alone, and with it a misfire.
    due("2 hours");
    clock.advance(Duration.ofDays(1));
    ReconcileSchedule third = new ReconcileSchedule(database.get().dataSource(), runs, "c");
    third.start();
    await().atMost(Duration.ofSeconds(90)).until(() -> completed() == 2);
    third.stop();
    assertThat(trigger()).isEqualTo(trigger);
    assertThat(
            database.get().jdbi().<Integer, RuntimeException>withHandle(ReconcileScheduleIT::one))
        .as("the pool is not Quartz's to close")
        .isEqualTo(1);

    ReconcileSchedule other =
        new ReconcileSchedule(database.get().dataSource(), runs("03:17", clock::advance), "d");
    other.start();
    other.stop();
    assertThat(trigger()).contains("0 17 * * * ?");
  }

  // One that is stopped with its scheduler is taken up again by the next, under its number.
  private long completed() {
    return new Runs(jdbi)
        .list(Long.MAX_VALUE, 1000).stream().filter(run -> run.state() == RunState.DONE).count();
  }

  private void due(String ago) {
    jdbi.useHandle(
        h ->
            h.execute(
                "update qrtz_triggers set next_fire_time = 1000 * extract(epoch from now() -"
                    + " interval '"
                    + ago
                    + "')::bigint"));
  }

  private String trigger() {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    "select cron_expression || ' ' || start_time from qrtz_cron_triggers join"
                        + " qrtz_triggers using (sched_name, trigger_name, trigger_group)")
                .mapTo(String.class)
                .one());
  }

  private static int one(Handle handle) {
    return handle.createQuery("select 1").mapTo(Integer.class).one();
  }
}
