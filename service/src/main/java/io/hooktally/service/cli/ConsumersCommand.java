package io.hooktally.service.cli;

import io.hooktally.service.EventActions;
import io.hooktally.service.EventWords;
import io.hooktally.service.api.EventsJson;
import io.hooktally.store.dispatch.ConsumerState;
import java.io.PrintStream;
import java.time.Duration;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.jspecify.annotations.Nullable;

/** {@code consumers}: says how they stand, pauses one, or lets it go on. */
public final class ConsumersCommand extends EventCommand {
  /** As named on the command line. */
  public ConsumersCommand() {
    super(
        "consumers", "Says how consumers stand (list), pauses one (pause) or ends that (resume).");
  }

  @Override
  public void configure(Subparser parser) {
    parser.addArgument("action").choices("list", "pause", "resume").help("what to do");
    super.configure(parser);
    parser.addArgument("--source").help("pause, resume: a source's name in config.yml");
    parser.addArgument("--consumer").help("pause, resume: its name; replica if left out");
    parser.addArgument("--reason").help("pause: why");
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
      case "pause" -> out.println("Paused: " + actions.pause(words, who));
      case "resume" -> out.println("Resumed: " + actions.resume(words, who));
      default -> {
        boolean json = Boolean.TRUE.equals(arguments.getBoolean("json"));
        for (ConsumerState state : actions.consumers()) {
          out.println(json ? EventsJson.of(state).toString() : line(state));
        }
      }
    }
  }

  private static String line(ConsumerState state) {
    ConsumerState.Pause pause = state.pause();
    return "%s  pending %d  held %d  parked %d  oldest %s%s"
        .formatted(
            state.consumer(),
            state.pending(),
            state.held(),
            state.parked(),
            age(state.oldest()),
            pause == null
                ? ""
                : "  paused since %s by %s: %s"
                    .formatted(pause.since(), pause.by(), pause.reason()));
  }

  private static String age(@Nullable Duration age) {
    return age == null ? "-" : age.toSeconds() + " s";
  }
}
