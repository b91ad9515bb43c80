package io.hooktally.service.demo;

import io.hooktally.reconcile.RunRequest;
import io.hooktally.reconcile.Window;
import io.hooktally.reconcile.report.FullReport;
import io.hooktally.reconcile.report.HtmlReport;
import io.hooktally.reconcile.report.Reports;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.service.HooktallyApplication;
import io.hooktally.service.HooktallyException;
import io.hooktally.service.Pieces;
import io.hooktally.service.RunningService;
import io.hooktally.service.Storage;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Disagreements;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.SuspectState;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays a day on a simulated platform against the real service: webhooks are delivered twice, out
 * of order and not at all; then a run has to find exactly what is wrong, and fix it.
 */
public final class Demo {
  /** The demo's source in the generated configuration. */
  static final String SOURCE = "revenexx";

  private static final String SECRET = "whsec_demo_only";
  private static final String API_KEY = "rvxk_demo_only";
  private static final Duration QUIET_LIMIT = Duration.ofSeconds(60);
  private static final int PAGE = 1000;

  private final InstantSource clock;
  private final Story story;
  private final @Nullable Path page;

  /**
   * A demo that tells its story.
   *
   * @param story what it tells of the day
   * @param page where the run's report is written as a page of HTML; null: nowhere
   */
  public Demo(InstantSource clock, Story story, @Nullable Path page) {
    this.clock = clock;
    this.story = story;
    this.page = page;
  }

  /**
   * Plays the day.
   *
   * @param orders 50 or more
   * @throws HooktallyException when it cannot be played to its end; the message says why
   */
  public DemoResult play(long seed, int orders) throws Exception {
    // Five minutes' distance: a window may not end closer to now than settle.
    Instant day =
        clock
            .instant()
            .minus(Duration.ofMinutes(5))
            .truncatedTo(ChronoUnit.DAYS)
            .minus(Duration.ofDays(1));
    SimulatedPlatform platform = new SimulatedPlatform();
    try (PlatformServer api = new PlatformServer(platform, API_KEY);
        DemoFolder folder = DemoFolder.create()) {
      api.start();
      folder.write(api.url(), SECRET, API_KEY);
      story.begins(seed, orders, day.atOffset(ZoneOffset.UTC).toLocalDate());
      HooktallyApplication application = new HooktallyApplication(clock, name -> null);
      try (RunningService service = RunningService.start(application, folder.config());
          Sender sender = new Sender(service.deliveries() + "/webhooks/" + SOURCE, SECRET)) {
        DemoResult result =
            play(new DayPlan(day, orders, seed), platform, service, sender, seed, day);
        if (!result.holds()) {
          folder.keep(true);
          story.leaves(folder.log());
        }
        return result;
      } catch (RuntimeException e) {
        folder.keep(true);
        throw new HooktallyException(e.getMessage() + " The log is " + folder.log() + ".", e);
      }
    }
  }

  private DemoResult play(
      DayPlan plan,
      SimulatedPlatform platform,
      RunningService service,
      Sender sender,
      long seed,
      Instant day)
      throws InterruptedException, IOException {
    Pieces pieces = service.pieces();
    Storage storage = pieces.storage();
    Traffic traffic = new Traffic();
    for (int wave = 0; wave < LifeCycle.WAVES; wave++) {
      plan.changes(wave).forEach(step -> platform.change(step.after()));
      List<PlannedEvent> deliveries = plan.deliveries(wave);
      traffic.note(deliveries);
      sender.deliver(deliveries);
      awaitQuiet(pieces);
      plan.silentChanges(wave).forEach(step -> platform.change(step.after()));
    }
    plan.deleted().forEach(platform::delete);
    int meddled = new Stranger(storage.work(), SOURCE, seed).meddle(platform);
    Map<String, String> injected = new TreeMap<>();
    platform.injected().forEach((id, kind) -> injected.put(id, kind.text()));
    Sums truth = Sums.of(platform.newestFirst());
    story.played(traffic, plan, meddled);
    story.believed(truth, Sums.ofReplica(storage.work(), SOURCE));

    RunReport first = reconcile(pieces, day);
    List<Disagreement> rows = rows(storage, first.id());
    Map<String, String> found = new TreeMap<>();
    rows.forEach(row -> found.put(row.entityId(), row.kind() == null ? "?" : row.kind().text()));
    DemoResult halfway =
        new DemoResult(
            seed,
            traffic.sent(),
            plan.lost(),
            injected,
            found,
            first.counts().fixed(),
            first.counts().residual(),
            0);
    story.reconciled(halfway, rows);
    writePage(storage, first.id());
    story.mended(truth, Sums.ofReplica(storage.work(), SOURCE));

    RunReport second = reconcile(pieces, day);
    DemoResult result =
        new DemoResult(
            seed,
            traffic.sent(),
            plan.lost(),
            injected,
            found,
            halfway.fixed(),
            halfway.residual(),
            second.counts().found());
    story.ends(result, second.run().listed());
    return result;
  }

  private void writePage(Storage storage, long run) throws IOException {
    Path file = page;
    if (file != null) {
      FullReport report = new Reports(storage.work()).find(run, Reports.FINDINGS).orElseThrow();
      try (Writer out = Files.newBufferedWriter(file)) {
        new HtmlReport().write(report, out);
      }
      story.wrote(file);
    }
  }

  private static RunReport reconcile(Pieces pieces, Instant day) {
    RunReport report =
        pieces
            .reconciler()
            .run(
                RunRequest.manual(
                    SOURCE, "order", new Window(day, day.plus(Duration.ofDays(1))), RunMode.FIX));
    if (report.state() != RunState.DONE) {
      throw new HooktallyException("The run failed: " + report.run().error() + ".");
    }
    return report;
  }

  /** All that a run found, whatever became of it. */
  private static List<Disagreement> rows(Storage storage, long run) {
    return new Disagreements(storage.work())
            .list(
                run,
                EnumSet.of(
                    SuspectState.FIXED,
                    SuspectState.HELD_BACK,
                    SuspectState.LEFT,
                    SuspectState.FAILED),
                "",
                PAGE)
            .stream()
            .filter(row -> !row.loaded())
            .toList();
  }

  private void awaitQuiet(Pieces pieces) throws InterruptedException {
    Instant limit = clock.instant().plus(QUIET_LIMIT);
    while (pieces.dispatchers().values().stream().anyMatch(one -> one.queue().pending() > 0)) {
      if (clock.instant().isAfter(limit)) {
        String why =
            pieces.dispatchers().values().stream()
                .flatMap(one -> one.outage().stream())
                .findFirst()
                .orElse("no outage is known");
        throw new HooktallyException(
            "Events are still pending after " + QUIET_LIMIT.toSeconds() + " s: " + why + ".");
      }
      Thread.sleep(20);
    }
  }
}
