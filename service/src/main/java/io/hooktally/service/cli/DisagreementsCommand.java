package io.hooktally.service.cli;

import io.hooktally.reconcile.Pause;
import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.service.Reconciling;
import io.hooktally.service.RunActions;
import io.hooktally.service.RunRequests;
import io.hooktally.service.Storage;
import io.hooktally.store.run.OpenDisagreement;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.Watermarks;
import java.io.PrintStream;
import java.time.InstantSource;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/**
 * {@code disagreements} lists what is open, accepts one as it is, or approves what was held back.
 */
public final class DisagreementsCommand extends HooktallyCommand {
  private static final int MOST = 1000;

  private final InstantSource clock;

  /** As named on the command line. */
  public DisagreementsCommand(InstantSource clock) {
    super(
        "disagreements",
        "Lists what is open (list), takes one as it is (accept), or lets what a run held back be"
            + " fixed (approve).");
    this.clock = clock;
  }

  @Override
  public void configure(Subparser parser) {
    parser.addArgument("action").choices("list", "accept", "approve").help("what to do");
    super.configure(parser);
    parser.addArgument("--source").help("list, accept: a source's name");
    parser.addArgument("--entity").help("list, accept: an entity type");
    parser.addArgument("--id").help("accept, approve: an entity's id");
    parser.addArgument("--reason").help("accept: why it may stay as it is");
    parser.addArgument("--run").metavar("N").help("approve: the run that held it back");
    parser.addArgument("--who").help("for the record").setDefault(System.getProperty("user.name"));
  }

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out)
      throws Exception {
    try (Storage storage = Storage.openForCommand(configuration.database());
        Reconciling reconciling =
            Reconciling.of(configuration, storage.work(), clock, Pause.sleeping())) {
      OpenDisagreements open = new OpenDisagreements(storage.work());
      RunRequests requests =
          new RunRequests(configuration.sources(), configuration.reconcile().zone());
      RunActions actions =
          new RunActions(
              reconciling.reconciler(), open, new Watermarks(storage.work()), requests, clock);
      act(arguments, actions, requests, open, out);
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      System.err.println("--" + e.getMessage());
      return ExitCode.USAGE;
    }
  }

  private static void act(
      Namespace arguments,
      RunActions actions,
      RunRequests requests,
      OpenDisagreements open,
      PrintStream out) {
    String source = arguments.getString("source");
    String entity = arguments.getString("entity");
    String id = arguments.getString("id");
    String who = arguments.getString("who");
    switch (arguments.getString("action")) {
      case "accept" -> {
        actions.accept(source, entity, id, arguments.getString("reason"), who);
        out.println("Accepted.");
      }
      case "approve" -> {
        int approved = actions.approve(arguments.getString("run"), id, who);
        out.println("Approved: " + approved + ", for the next run.");
      }
      default -> {
        RunRequests.Target target = requests.target(source, entity);
        out.println("open: " + open.open(target.source(), target.entityType()));
        open.list(target.source(), target.entityType(), "", MOST)
            .forEach(one -> out.println(line(one)));
      }
    }
  }

  private static String line(OpenDisagreement one) {
    return "%s  %s  %s  run %d  %s"
        .formatted(
            one.entityId(),
            one.kind() == null ? "?" : one.kind().text(),
            one.state().text(),
            one.runId(),
            one.note() == null ? "" : one.note());
  }
}
