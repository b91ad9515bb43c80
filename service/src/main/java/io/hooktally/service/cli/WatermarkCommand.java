package io.hooktally.service.cli;

import io.hooktally.reconcile.Pause;
import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.service.Reconciling;
import io.hooktally.service.RunActions;
import io.hooktally.service.RunRequests;
import io.hooktally.service.Storage;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.Watermarks;
import java.io.PrintStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** {@code watermark} shows or sets up to where the replica is vouched for. */
public final class WatermarkCommand extends HooktallyCommand {
  private final InstantSource clock;

  /** As named on the command line. */
  public WatermarkCommand(InstantSource clock) {
    super("watermark", "Shows (show) or sets (set) where the next daily run begins.");
    this.clock = clock;
  }

  @Override
  public void configure(Subparser parser) {
    parser.addArgument("action").choices("show", "set").help("what to do");
    super.configure(parser);
    parser.addArgument("--source").help("a source's name");
    parser.addArgument("--entity").help("an entity type; may be left out where there is one only");
    parser
        .addArgument("--at")
        .metavar("T")
        .help("set: an instant, or a date in the configured zone");
    parser.addArgument("--who").help("for the record").setDefault(System.getProperty("user.name"));
  }

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out)
      throws Exception {
    RunRequests requests =
        new RunRequests(configuration.sources(), configuration.reconcile().zone());
    try (Storage storage = Storage.openForCommand(configuration.database());
        Reconciling reconciling =
            Reconciling.of(configuration, storage.work(), clock, Pause.sleeping())) {
      Watermarks watermarks = new Watermarks(storage.work());
      RunRequests.Target target =
          requests.target(arguments.getString("source"), arguments.getString("entity"));
      if (arguments.getString("action").equals("show")) {
        out.println(text(watermarks.find(target.source(), target.entityType())));
        return ExitCode.OK;
      }
      RunActions actions =
          new RunActions(
              reconciling.reconciler(),
              new OpenDisagreements(storage.work()),
              watermarks,
              requests,
              clock);
      Optional<Instant> was =
          actions.setWatermark(
              target.source(),
              target.entityType(),
              arguments.getString("at"),
              arguments.getString("who"));
      out.println("Set; it was: " + text(was));
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      System.err.println("--" + e.getMessage());
      return ExitCode.USAGE;
    }
  }

  private static String text(Optional<Instant> at) {
    return at.map(Instant::toString).orElse("none");
  }
}
