package io.hooktally.service.cli;

import io.hooktally.reconcile.Pause;
import io.hooktally.reconcile.RunRefusedException;
import io.hooktally.reconcile.RunRequest;
import io.hooktally.reconcile.StartedRun;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.service.Reconciling;
import io.hooktally.service.RunRequests;
import io.hooktally.service.Storage;
import io.hooktally.service.api.RunJson;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.Runs;
import java.io.PrintStream;
import java.time.InstantSource;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** {@code reconcile} and {@code backfill}: does one run in this process and prints its report. */
public final class RunCommand extends HooktallyCommand {
  private final RunReason reason;
  private final InstantSource clock;

  private RunCommand(String name, String description, RunReason reason, InstantSource clock) {
    super(name, description);
    this.reason = reason;
    this.clock = clock;
  }

  /** Compares a window with the source, and fixes what differs. */
  public static RunCommand reconcile(InstantSource clock) {
    return new RunCommand(
        "reconcile",
        "Re-reads a window from the source, compares, fixes and reports. Exit code 0: they agree;"
            + " 3: disagreements were found; 1: failed, or another run holds the lease.",
        RunReason.MANUAL,
        clock);
  }

  /** Loads an old window. */
  public static RunCommand backfill(InstantSource clock) {
    return new RunCommand(
        "backfill",
        "Loads a window from the source. Exit code 0: loaded; 3: some of it is not in the"
            + " replica, the report says why; 1: failed, or another run holds the lease.",
        RunReason.BACKFILL,
        clock);
  }

  @Override
  public void configure(Subparser parser) {
    super.configure(parser);
    parser.addArgument("--source").required(true).help("a source's name in config.yml");
    parser.addArgument("--entity").help("an entity type; may be left out where there is one only");
    parser
        .addArgument("--from")
        .metavar("T")
        .help("first time in the window: an instant, or a date in the configured zone");
    parser
        .addArgument("--to")
        .metavar("T")
        .help("first time behind the window: an instant, or a date in the configured zone");
    parser
        .addArgument("--all")
        .action(Arguments.storeTrue())
        .help(
            reason == RunReason.BACKFILL
                ? "everything there is, in place of --from and --to: fills a new store"
                : "walk the whole list, in place of --from and --to: finds old deletions too");
    parser
        .addArgument("--trust-source")
        .action(Arguments.storeTrue())
        .help("bring entities that are ahead of the source back to its state");
    parser
        .addArgument("--dry-run")
        .action(Arguments.storeTrue())
        .help("report, and change nothing in the replica");
    parser
        .addArgument("--json")
        .action(Arguments.storeTrue())
        .help("print the report as one line of JSON");
  }

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out)
      throws Exception {
    RunRequest request;
    try {
      request =
          new RunRequests(configuration.sources(), configuration.reconcile().zone())
              .of(
                  reason,
                  arguments.getString("source"),
                  arguments.getString("entity"),
                  arguments.getString("from"),
                  arguments.getString("to"),
                  arguments.getBoolean("all").toString(),
                  arguments.getBoolean("dry_run").toString(),
                  arguments.getBoolean("trust_source").toString());
    } catch (IllegalArgumentException e) {
      System.err.println("--" + e.getMessage());
      return ExitCode.USAGE;
    }
    return run(request, arguments, configuration, out);
  }

  private int run(
      RunRequest request,
      Namespace arguments,
      HooktallyConfiguration configuration,
      PrintStream out) {
    try (Storage storage = Storage.openForCommand(configuration.database());
        Reconciling reconciling =
            Reconciling.of(configuration, storage.work(), clock, Pause.sleeping())) {
      StartedRun started = reconciling.reconciler().start(request);
      // A signal ends the run, which is written down before the database goes.
      storage.beforeClosingAtExit(reconciling.reconciler()::stop);
      RunReport report = Watched.complete(started, new Runs(storage.work()), clock, System.err);
      out.println(arguments.getBoolean("json") ? RunJson.of(report) : ReportText.of(report));
      if (report.state() != RunState.DONE) {
        return ExitCode.FAILED;
      }
      boolean good = reason == RunReason.BACKFILL ? isWhole(report.counts()) : report.agrees();
      return good ? ExitCode.OK : ExitCode.DISAGREEMENTS;
    } catch (RunRefusedException e) {
      System.err.println(e.getMessage());
      return ExitCode.USAGE;
    }
  }

  // What a backfill finds is what it is for; what it leaves is not.
  private static boolean isWhole(RunCounts counts) {
    return counts.failed() + counts.heldBack() + counts.left() + counts.residual() == 0;
  }
}
