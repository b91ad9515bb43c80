package io.hooktally.service.cli;

import io.hooktally.service.EventActions;
import io.hooktally.service.EventWords;
import io.hooktally.service.api.EventsJson;
import io.hooktally.store.dispatch.Replayed;
import java.io.PrintStream;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** {@code replay}: hands stored events over again. */
public final class ReplayCommand extends EventCommand {
  /** As named on the command line. */
  public ReplayCommand() {
    super(
        "replay",
        "Hands the stored events of a span over again, under their own ids and behind live ones.");
  }

  @Override
  public void configure(Subparser parser) {
    super.configure(parser);
    parser.addArgument("--source").help("a source's name in config.yml");
    parser
        .addArgument("--from")
        .metavar("T")
        .help("received at or after: an instant, or a date in the configured zone");
    parser
        .addArgument("--to")
        .metavar("T")
        .help("received before: an instant, or a date in the configured zone");
    parser.addArgument("--topic").help("only topics that match, such as order.*");
    parser.addArgument("--entity").metavar("TYPE").help("only of one entity: its type");
    parser.addArgument("--id").help("only of one entity: its id");
    parser.addArgument("--consumer").help("only to this consumer, such as replica");
    parser.addArgument("--json").action(Arguments.storeTrue()).help("print a line of JSON");
    who(parser);
  }

  @Override
  void act(
      Namespace arguments, EventActions actions, EventWords words, String who, PrintStream out) {
    Replayed replayed = actions.replay(words, who);
    if (Boolean.TRUE.equals(arguments.getBoolean("json"))) {
      print(out, EventsJson.of(replayed));
      return;
    }
    out.println(
        "Replay %d: %d events are handed over again (%d rows)."
            .formatted(replayed.id(), replayed.events(), replayed.rows()));
    if (replayed.lost() > 0) {
      out.println(
          "%d events of the span could not be replayed: their payload has been dropped."
              .formatted(replayed.lost()));
    }
  }
}
