package io.hooktally.service.cli;

import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.store.DatabaseConfig;
import io.hooktally.store.Secret;
import java.io.PrintStream;
import java.util.stream.Collectors;
import net.sourceforge.argparse4j.inf.Namespace;

/** Says whether config.yml can work, and what it configures. Touches no database and no source. */
public final class CheckCommand extends HooktallyCommand {
  /** As named on the command line. */
  public CheckCommand() {
    super("check", "Reads config.yml, says what is wrong with it, or what it configures.");
  }

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out) {
    DatabaseConfig database = configuration.database();
    out.println("database: " + database);
    out.printf(
        "daily run: at %s %s, mode %s, lookback %s%n",
        configuration.reconcile().at(),
        configuration.reconcile().zone(),
        configuration.reconcile().mode().text(),
        configuration.reconcile().lookback());
    out.println(
        "alerts: log"
            + (configuration.alerts().webhookUrl().isConfigured() ? " and webhook" : " only"));
    if (configuration.sources().isEmpty()) {
      out.println("sources: none. Add one under sources: in config.yml.");
    }
    configuration.sources().values().forEach(source -> print(source, out));
    out.println("config.yml is fine.");
    return ExitCode.OK;
  }

  private static void print(SourceConfig source, PrintStream out) {
    out.println("source " + source.name() + ":");
    out.println(
        "  signature: "
            + source.signature().scheme().text()
            + (source.signature().scheme() != io.hooktally.reconcile.source.SignatureScheme.NONE
                ? ", secrets set: " + secrets(source)
                : ""));
    out.println("  api: " + source.api().url());
    source
        .api()
        .secretHeaders()
        .forEach((name, secret) -> out.println("  " + name + " set: " + yesNo(secret)));
    source
        .entities()
        .forEach(
            (type, entity) ->
                out.println(
                    "  "
                        + type
                        + ": topics "
                        + entity.topics()
                        + ", list "
                        + entity.list().path()
                        + ", read "
                        + entity.read().path()));
  }

  private static String secrets(SourceConfig source) {
    return source.signature().secrets().stream()
        .map(CheckCommand::yesNo)
        .collect(Collectors.joining(", "));
  }

  private static String yesNo(Secret secret) {
    return secret.isConfigured() ? "yes" : "no";
  }
}
