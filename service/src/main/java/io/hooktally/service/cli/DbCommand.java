package io.hooktally.service.cli;

import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.store.DatabaseConfig;
import io.hooktally.store.EmbeddedDatabase;
import io.hooktally.store.Migrations;
import java.io.PrintStream;
import java.util.List;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** {@code db migrate} applies pending migrations, {@code db status} lists them. */
public final class DbCommand extends HooktallyCommand {
  /** As named on the command line. */
  public DbCommand() {
    super("db", "Migrates the database (migrate), or says what is pending (status).");
  }

  @Override
  public void configure(Subparser parser) {
    parser.addArgument("action").choices("migrate", "status").help("what to do");
    super.configure(parser);
  }

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out) {
    DatabaseConfig database = configuration.database();
    if (!database.isEmbedded()) {
      run(arguments.getString("action"), new Migrations(database.address()), out);
      return ExitCode.OK;
    }
    try (EmbeddedDatabase embedded = EmbeddedDatabase.open(database.dataDir())) {
      embedded.closeAtExit();
      run(arguments.getString("action"), new Migrations(embedded.address()), out);
      return ExitCode.OK;
    }
  }

  private static void run(String action, Migrations migrations, PrintStream out) {
    if (action.equals("migrate")) {
      List<String> applied = migrations.migrate();
      applied.forEach(id -> out.println("applied " + id));
      out.println(applied.isEmpty() ? "Nothing was pending." : "The database is up to date.");
    } else {
      List<String> pending = migrations.pending();
      pending.forEach(id -> out.println("pending " + id));
      out.println(
          pending.isEmpty()
              ? "The database is up to date."
              : "Run: java -jar hooktally.jar db migrate config.yml");
    }
  }
}
