package io.hooktally.service.cli;

import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.service.Storage;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.inbox.OtherBody;
import io.hooktally.store.inbox.Refused;
import io.hooktally.store.inbox.RefusedDeliveries;
import io.hooktally.store.inbox.Trouble;
import io.hooktally.store.inbox.Troubles;
import java.io.PrintStream;
import java.time.Instant;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.jdbi.v3.core.Jdbi;

/**
 * {@code deliveries} lists what went wrong with deliveries to one source: spans, samples of refused
 * ones, conflicts.
 */
public final class DeliveriesCommand extends HooktallyCommand {
  private static final int MOST = 50;
  private static final Instant EVER = Instant.parse("9999-01-01T00:00:00Z");

  /** As named on the command line. */
  public DeliveriesCommand() {
    super(
        "deliveries",
        "Lists when deliveries were refused or unavailable, or nobody was there (troubles), samples"
            + " of refused ones (refused), or other bodies under known ids (conflicts).");
  }

  @Override
  public void configure(Subparser parser) {
    parser
        .addArgument("action")
        .choices("troubles", "refused", "conflicts")
        .help("what to list, the latest first");
    super.configure(parser);
    parser.addArgument("--source").help("a source's name");
  }

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out) {
    String source = arguments.getString("source");
    if (source == null || !configuration.sources().containsKey(source)) {
      System.err.println("--source must be one of " + configuration.sources().keySet() + ".");
      return ExitCode.USAGE;
    }
    try (Storage storage = Storage.openForCommand(configuration.database())) {
      Jdbi jdbi = storage.work();
      switch (arguments.getString("action")) {
        case "troubles" ->
            new Troubles(jdbi)
                .list(source, Instant.EPOCH, EVER, MOST)
                .forEach(one -> out.println(line(one)));
        case "refused" ->
            new RefusedDeliveries(jdbi).list(source, MOST).forEach(one -> out.println(line(one)));
        default ->
            new Inbox(jdbi, "command")
                .newestConflicts(source, Long.MAX_VALUE, MOST)
                .forEach(one -> out.println(line(one)));
      }
      return ExitCode.OK;
    }
  }

  private static String line(Trouble one) {
    return "%s  %s  %s  %s"
        .formatted(
            one.beganAt(),
            one.endedAt(),
            one.outcome(),
            one.outcome().equals(Troubles.AWAY) ? "" : one.deliveries() + " deliveries");
  }

  private static String line(Refused one) {
    return "%s  %s  %d bytes  sha256 %s  %s"
        .formatted(
            one.at(),
            one.outcome(),
            one.bodySize(),
            one.bodySha256() == null ? "-" : one.bodySha256(),
            one.headers());
  }

  private static String line(OtherBody one) {
    return "%s  event %s  conflict %d  %d deliveries  %d bytes  sha256 %s"
        .formatted(
            one.receivedAt(),
            one.eventId(),
            one.id(),
            one.deliveries(),
            one.bodySize(),
            one.bodySha256());
  }
}
