package io.hooktally.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.service.EventActions;
import io.hooktally.service.EventWords;
import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.service.Storage;
import java.io.PrintStream;
import java.util.Objects;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.jspecify.annotations.Nullable;

/** A command about events or consumers: its words are those of the tasks and of the API. */
abstract class EventCommand extends HooktallyCommand {
  EventCommand(String name, String description) {
    super(name, description);
  }

  /** Does the work; a word that is wrong is an {@link IllegalArgumentException}. */
  abstract void act(
      Namespace arguments, EventActions actions, EventWords words, String who, PrintStream out);

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out)
      throws Exception {
    try (Storage storage = Storage.openForCommand(configuration.database())) {
      EventActions actions = EventActions.of(configuration, storage.work());
      EventWords words = actions.words(word -> value(arguments, word));
      String who = Objects.requireNonNullElse(value(arguments, "who"), "the command line");
      act(arguments, actions, words, who, out);
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      System.err.println("--" + e.getMessage());
      return ExitCode.USAGE;
    }
  }

  static void who(Subparser parser) {
    parser.addArgument("--who").help("for the record").setDefault(System.getProperty("user.name"));
  }

  /** One line of JSON: what the API shows. */
  static void print(PrintStream out, ObjectNode json) {
    out.println(json);
  }

  /** A word as it stands on the command line; null: it does not. */
  static @Nullable String value(Namespace arguments, String word) {
    Object value = arguments.get(word);
    return value == null || Boolean.FALSE.equals(value) ? null : value.toString();
  }
}
