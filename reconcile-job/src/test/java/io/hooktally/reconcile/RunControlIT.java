package io.hooktally.reconcile;

import static io.hooktally.reconcile.Shop.DAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunPhase;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.Runs;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs that are cancelled, stopped with their process, and taken up again. */
class RunControlIT {
  private static final LocalDate TODAY = LocalDate.of(2026, 5, 11);

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(database.get().jdbi());
    shop.fill(30);
    shop.lose("o3", "o4", "o5");
  }

  @AfterEach
  void close() {
    release.countDown();
    executor.shutdownNow();
    shop.close();
  }

  private static RunRequest today() {
    return RunRequest.scheduled("shop", "order", RunMode.FIX, TODAY);
  }

  private static RunRequest day() {
    return RunRequest.manual(
        "shop", "order", new Window(DAY, DAY.plus(Duration.ofDays(1))), RunMode.FIX);
  }

  private Run run(long id) {
    return new Runs(shop.jdbi).find(id).orElseThrow();
  }

  /** The nth single read of the entity hangs until the test ends. */
  private void hangAt(String id, int nth) {
    AtomicInteger reads = new AtomicInteger();
    shop.source.fault(
        (path, query, number) -> {
          if (path.endsWith("/" + id) && reads.incrementAndGet() == nth) {
            reached.countDown();
            await(release);
          }
          return Optional.empty();
        });
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void breakReadsOf(String id) {
    shop.source.fault(
        (path, query, number) ->
            path.endsWith("/" + id) ? Optional.of(Response.json(401, "{}")) : Optional.empty());
  }

  @Test
  void aRunIsCancelledAtOnceAndGivesItsLeaseBack() throws Exception {
    hangAt("o4", 1);
    Reconciler reconciler = shop.reconciler("a");
    StartedRun started = reconciler.start(day());
    CompletableFuture<RunReport> running =
        CompletableFuture.supplyAsync(started::complete, executor);
    await(reached);

    reconciler.cancel(started.id(), "ada");

    assertThat(running.get(20, TimeUnit.SECONDS).state()).isEqualTo(RunState.CANCELLED);
    assertThat(run(started.id()).error()).isEqualTo("cancelled by ada");
    assertThat(shop.alerts()).as("who cancelled it knows").isEmpty();
    release.countDown();
    assertThat(reconciler.run(day()).counts().fixed()).isEqualTo(3);
  }

  @Test
  void aRunOfAnotherProcessIsCancelledByTheRecord() throws Exception {
    hangAt("o4", 1);
    StartedRun started = shop.reconciler("a").start(day());
    CompletableFuture<RunReport> running =
        CompletableFuture.supplyAsync(started::complete, executor);
    await(reached);

    shop.reconciler("b").cancel(started.id(), "ada");

    assertThat(running.get(20, TimeUnit.SECONDS).state()).isEqualTo(RunState.CANCELLED);
  }

  @Test
  void aRunWhoseProcessDiedIsCancelledOnRecord() {
    StartedRun dead = shop.reconciler("a").start(day());
    expireLeases();

    shop.reconciler("b").cancel(dead.id(), "ada");

    assertThat(run(dead.id()).state()).isEqualTo(RunState.CANCELLED);
    assertThatThrownBy(() -> shop.reconciler("b").cancel(dead.id(), "ada"))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining("has ended");
  }

  @Test
  void theEndOfTheProcessEndsItsRunsAndTheScheduleTakesThemUp() throws Exception {
    hangAt("o4", 1);
    Reconciler reconciler = shop.reconciler("a");
    StartedRun started = reconciler.start(today());
    CompletableFuture<RunReport> running =
        CompletableFuture.supplyAsync(started::complete, executor);
    await(reached);

    reconciler.stop();

    assertThat(running.get(20, TimeUnit.SECONDS).state()).isEqualTo(RunState.FAILED);
    assertThat(run(started.id()).error()).isEqualTo("the service stopped");
    assertThat(run(started.id()).stopped()).isTrue();
    assertThat(reconciler.hasScheduled("shop", "order", TODAY)).isFalse();
    assertThat(shop.alerts()).as("it goes on by itself").isEmpty();
    release.countDown();

    RunReport again = shop.reconciler("b").run(today());

    assertThat(again.id()).isEqualTo(started.id());
    assertThat(again.run().resumed()).isEqualTo(1);
    assertThat(again.state()).isEqualTo(RunState.DONE);
    assertThat(again.counts().fixed()).isEqualTo(3);
    assertThat(again.counts().addUp()).isTrue();
  }

  @Test
  void aStoppedProcessTakesNoMoreRuns() throws Exception {
    Reconciler reconciler = shop.reconciler("a");
    reconciler.stop();
    assertThat(reconciler.run(day()).run().stopped()).isTrue();
  }

  @Test
  void aCrashedScheduledRunIsTakenUpByTheNextTurnUnderItsNumber() {
    StartedRun dead = shop.reconciler("a").start(today());
    expireLeases();
    shop.jdbi.useHandle(
        h -> h.execute("update reconcile_run set window_from = ?", DAY.atOffset(ZoneOffset.UTC)));
    shop.clock.advance(Duration.ofDays(1));

    RunReport next =
        shop.reconciler("b")
            .run(RunRequest.scheduled("shop", "order", RunMode.FIX, TODAY.plusDays(1)));

    assertThat(next.id()).isEqualTo(dead.id());
    assertThat(next.run().scheduledFor()).isEqualTo(TODAY.plusDays(1));
    assertThat(next.run().to()).isEqualTo(Shop.NOW.plus(Duration.ofDays(1)).minusSeconds(120));
    assertThat(next.counts().fixed()).isEqualTo(3);
  }

  @Test
  void aRunThatAPersonStartsSupersedesADeadOne() {
    StartedRun dead = shop.reconciler("a").start(today());
    expireLeases();
    RunReport next = shop.reconciler("b").run(day());
    assertThat(next.id()).isNotEqualTo(dead.id());
    assertThat(run(dead.id()).state()).isEqualTo(RunState.SUPERSEDED);
    assertThatThrownBy(() -> shop.reconciler("b").resume(dead.id()))
        .hasMessageContaining("not the newest");
  }

  @Test
  void aFailedRunKeepsWhatItConfirmedAndFixedAndCountsItOnce() {
    Reconciler reconciler = shop.reconciler("a");
    // The batch is read in the order of ids; the control reads listed ones.
    shop.whilePaused =
        () -> {
          throw new IllegalStateException("on purpose");
        };
    shop.source.put("late", Shop.NOW.minusSeconds(10));
    RunReport failed = reconciler.run(today().trustingSource());
    assertThat(failed.state()).isEqualTo(RunState.FAILED);
    shop.whilePaused = () -> {};
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$"));
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "create trigger refuse before insert on entity for each row when (new.entity_id = 'o5') execute function refuse()"));
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "create trigger refuse before update on reconcile_run for each row when (new.state = 'done') execute function refuse()"));

    RunReport second = reconciler.resume(failed.id()).complete();

    assertThat(second.state()).isEqualTo(RunState.FAILED);
    assertThat(shop.states(failed.id()))
        .isEqualTo(
            Map.of(
                "late", SuspectState.FIXED,
                "o3", SuspectState.FIXED,
                "o4", SuspectState.FIXED,
                "o5", SuspectState.FAILED));
    long changed = shop.ours("o3").version().readNumber();
    shop.jdbi.useHandle(h -> h.execute("drop trigger refuse on entity"));
    shop.jdbi.useHandle(h -> h.execute("drop trigger refuse on reconcile_run"));

    RunReport third = reconciler.resume(failed.id()).complete();

    assertThat(third.state()).isEqualTo(RunState.DONE);
    assertThat(third.counts().found()).isEqualTo(4);
    assertThat(third.counts().fixed()).isEqualTo(4);
    assertThat(third.counts().addUp()).isTrue();
    assertThat(third.run().listed()).isEqualTo(31);
    assertThat(shop.ours("o3").version().readNumber()).as("fixed once").isEqualTo(changed);
    assertThat(keptReads()).isZero();
  }

  @Test
  void whatTheSourceChangedBetweenIsReadAgain() {
    Reconciler reconciler = shop.reconciler("a");
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$"));
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "create trigger refuse before insert on entity for each row execute function refuse()"));
    shop.jdbi.useHandle(
        h ->
            h.execute(
                "create trigger refuse before update on reconcile_run for each row when (new.state = 'done') execute function refuse()"));
    RunReport failed = reconciler.run(today());
    assertThat(failed.state()).isEqualTo(RunState.FAILED);
    shop.jdbi.useHandle(h -> h.execute("drop trigger refuse on entity"));
    shop.jdbi.useHandle(h -> h.execute("drop trigger refuse on reconcile_run"));
    shop.source.change("o4", Shop.DAY.plus(Duration.ofHours(20)), "status", "completed");

    assertThat(reconciler.resume(failed.id()).complete().counts().fixed()).isEqualTo(3);

    assertThat(shop.ours("o4").body().path("status").asText()).isEqualTo("completed");
  }

  @Test
  void aLaterRunThatCompletesLetsOldReadsGo() {
    breakReadsOf("o5");
    Reconciler reconciler = shop.reconciler("a");
    RunReport failed = reconciler.run(day());
    assertThat(failed.state()).isEqualTo(RunState.FAILED);
    shop.source.noFaults();
    assertThat(reconciler.run(day()).state()).isEqualTo(RunState.DONE);
    assertThat(keptReads()).isZero();
    assertThatThrownBy(() -> reconciler.resume(failed.id()))
        .isInstanceOf(RunRefusedException.class);
  }

  @Test
  void aCompletedRunIsNotTakenUp() {
    RunReport done = shop.reconciler("a").run(day());
    assertThatThrownBy(() -> shop.reconciler("a").resume(done.id()))
        .hasMessageContaining("has completed");
  }

  @Test
  void aRunTellsHowFarItIs() throws Exception {
    hangAt("o4", 1);
    StartedRun started = shop.reconciler("a").start(day());
    CompletableFuture<RunReport> running =
        CompletableFuture.supplyAsync(started::complete, executor);
    await(reached);
    Run now = run(started.id());
    assertThat(now.progress().phase()).isEqualTo(RunPhase.CONFIRMING);
    assertThat(now.progress().pages()).isEqualTo(1);
    assertThat(now.progress().reached()).isEqualTo(DAY);
    assertThat(now.listed()).isEqualTo(30);
    assertThat(now.progress().requests()).as("probe, page, one read").isGreaterThanOrEqualTo(3);
    assertThat(now.progress().bytes()).isPositive();
    release.countDown();
    assertThat(running.get(20, TimeUnit.SECONDS).run().progress().phase())
        .isEqualTo(RunPhase.LOOKING_BACK);
  }

  private long keptReads() {
    return shop.jdbi.withHandle(
        h ->
            h.createQuery("select count(*) from disagreement where read_body is not null")
                .mapTo(Long.class)
                .one());
  }

  private void expireLeases() {
    shop.jdbi.useHandle(h -> h.execute("update lease set expires_at = '-infinity'"));
  }
}
