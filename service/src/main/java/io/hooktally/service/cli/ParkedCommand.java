package io.hooktally.service.cli;

import io.hooktally.service.EventActions;
import io.hooktally.service.EventWords;
import io.hooktally.service.api.EventsJson;
import io.hooktally.store.dispatch.Parked;
import java.io.PrintStream;
import java.util.Objects;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** {@code parked}: lists parked events, shows one whole, retries or discards some. */
public final class ParkedCommand extends EventCommand {
  private static final int MOST = 1000;

  /** As named on the command line. */
  public ParkedCommand() {
    super(
        "parked",
        "Lists parked events (list), shows one whole (show), lets them be handed over again"
            + " (retry), or gives them up (discard).");
  }

  @Override
  public void configure(Subparser parser) {
    parser.addArgument("action").choices("list", "show", "retry", "discard").help("what to do");
    super.configure(parser);
    parser.addArgument("--id").metavar("N[,N]").help("their numbers; show: one");
    parser.addArgument("--source").help("of this source");
    parser.addArgument("--consumer").help("of this consumer, such as replica");
    parser.addArgument("--kind").help("poison or invalid");
    parser.addArgument("--key").help("with this ordering key, such as order/17");
    parser.addArgument("--topic").help("whose topic matches, such as order.*");
    parser.addArgument("--event").help("with this event id");
    parser.addArgument("--error").help("whose error has this text in it");
    parser.addArgument("--after").metavar("N").help("list: only greater numbers, to read on");
    parser.addArgument("--limit").metavar("N").help("list: at most so many, up to 1000");
    parser
        .addArgument("--all")
        .action(Arguments.storeTrue())
        .help("retry, discard: all there are, in place of the words above");
    parser.addArgument("--reason").help("discard: why they are given up");
    parser
        .addArgument("--json")
        .action(Arguments.storeTrue())
        .help("list: a line of JSON for each");
    who(parser);
  }

  @Override
  void act(
      Namespace arguments, EventActions actions, EventWords words, String who, PrintStream out) {
    switch (arguments.getString("action")) {
      case "show" -> {
        long id = words.number("id");
        print(
            out,
            EventsJson.of(
                actions
                    .show(id)
                    .orElseThrow(
                        () -> new IllegalArgumentException("id names no parked event: " + id))));
      }
      case "retry" -> out.println("Retried: " + actions.retry(words, who));
      case "discard" -> out.println("Discarded: " + actions.discard(words, who));
      default -> {
        boolean json = Boolean.TRUE.equals(arguments.getBoolean("json"));
        for (Parked event : actions.parked(words, MOST)) {
          out.println(json ? EventsJson.of(event).toString() : line(event));
        }
      }
    }
  }

  private static String line(Parked event) {
    return "%d  %s  %s  key %s  topic %s  %s  %s"
        .formatted(
            event.id(),
            event.consumer(),
            event.kind().text(),
            Objects.requireNonNullElse(event.key(), "-"),
            Objects.requireNonNullElse(event.topic(), "-"),
            event.parkedAt(),
            event.error().replaceAll("\\R", " "));
  }
}
