package io.hooktally.service.cli;

import io.hooktally.reconcile.Pause;
import io.hooktally.reconcile.RunRefusedException;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.service.Reconciling;
import io.hooktally.service.Storage;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunFilter;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.Runs;
import java.io.PrintStream;
import java.time.InstantSource;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** {@code runs}: lists runs, shows, watches, cancels and resumes one. */
public final class RunsCommand extends HooktallyCommand {
  private static final int MOST = 50;

  private final InstantSource clock;

  /** As named on the command line. */
  public RunsCommand(InstantSource clock) {
    super("runs", "Lists runs (list), or shows, watches, cancels or resumes one.");
    this.clock = clock;
  }

  @Override
  public void configure(Subparser parser) {
    parser
        .addArgument("action")
        .choices("list", "show", "watch", "cancel", "resume")
        .help("what to do");
    super.configure(parser);
    parser.addArgument("--run").type(Long.class).metavar("N").help("a run's number; not for list");
    parser.addArgument("--source").help("list: only runs of this source");
    parser.addArgument("--entity").help("list: only runs of this entity type");
  }

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out)
      throws Exception {
    String action = arguments.getString("action");
    Long run = arguments.getLong("run");
    if (run == null && !action.equals("list")) {
      System.err.println("--run is missing; write a run's number, such as 42.");
      return ExitCode.USAGE;
    }
    try (Storage storage = Storage.openForCommand(configuration.database());
        Reconciling reconciling =
            Reconciling.of(configuration, storage.work(), clock, Pause.sleeping())) {
      Runs runs = new Runs(storage.work());
      if (run == null) {
        RunFilter filter =
            new RunFilter(arguments.getString("source"), arguments.getString("entity"), null, null);
        runs.list(filter, Long.MAX_VALUE, MOST).forEach(one -> out.println(line(one)));
        return ExitCode.OK;
      }
      return one(action, run, runs, reconciling, out);
    } catch (RunRefusedException e) {
      System.err.println(e.getMessage());
      return ExitCode.FAILED;
    }
  }

  private int one(String action, long id, Runs runs, Reconciling reconciling, PrintStream out)
      throws InterruptedException {
    if (action.equals("cancel")) {
      reconciling
          .reconciler()
          .cancel(id, "the command line (" + System.getProperty("user.name") + ")");
      out.println("run " + id + " ends.");
      return ExitCode.OK;
    }
    if (action.equals("resume")) {
      return ended(
          Watched.complete(reconciling.reconciler().resume(id), runs, clock, System.err), out);
    }
    if (action.equals("watch")) {
      new RunWatch(runs, clock, System.err).untilEnded(id, Pause.sleeping());
    }
    return ended(
        reconciling
            .reconciler()
            .report(id)
            .orElseThrow(() -> new IllegalArgumentException("there is no run " + id)),
        out);
  }

  private static int ended(RunReport report, PrintStream out) {
    out.println(ReportText.of(report));
    if (report.state() != RunState.DONE) {
      return ExitCode.FAILED;
    }
    return report.agrees() ? ExitCode.OK : ExitCode.DISAGREEMENTS;
  }

  private static String line(Run run) {
    return "%d  %s/%s  %s  %s  %s  listed %d"
        .formatted(
            run.id(),
            run.source(),
            run.entityType(),
            run.reason().text(),
            run.state().text(),
            run.startedAt(),
            run.listed());
  }
}
