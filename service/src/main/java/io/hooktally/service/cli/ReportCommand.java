package io.hooktally.service.cli;

import io.hooktally.reconcile.report.FullReport;
import io.hooktally.reconcile.report.HtmlReport;
import io.hooktally.reconcile.report.Reports;
import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.service.Storage;
import io.hooktally.service.api.ReportJson;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.jspecify.annotations.Nullable;

/** {@code report}: prints the report of a run that was recorded, or writes it to a file. */
public final class ReportCommand extends HooktallyCommand {
  private static final int JSON_FINDINGS = 10_000;

  /** As named on the command line. */
  public ReportCommand() {
    super(
        "report",
        "Prints the report of a run: what it found, how it was lost, what was done. Exit code 0:"
            + " printed; 1: there is no such run.");
  }

  @Override
  public void configure(Subparser parser) {
    super.configure(parser);
    parser
        .addArgument("--run")
        .metavar("N")
        .setDefault("latest")
        .help("a run's number, or latest (the default)");
    parser.addArgument("--source").help("with latest: of this source");
    parser.addArgument("--entity").help("with latest: of this entity type");
    parser
        .addArgument("--format")
        .choices("text", "json", "csv", "html")
        .setDefault("text")
        .help("default text; csv has all disagreements, one line each");
    parser.addArgument("--out").metavar("FILE").help("write to this file instead of stdout");
  }

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out)
      throws Exception {
    String run = arguments.getString("run");
    if (!run.equals("latest") && !run.matches("\\d{1,18}")) {
      System.err.println("--run must be a run's number, such as 42, or latest");
      return ExitCode.USAGE;
    }
    try (Storage storage = Storage.openForCommand(configuration.database())) {
      return report(new Reports(storage.work()), arguments, out);
    }
  }

  /** The same over runs that are at hand. */
  static int report(Reports reports, Namespace arguments, PrintStream out) throws IOException {
    String run = arguments.getString("run");
    Optional<Long> id =
        run.equals("latest")
            ? reports.latest(arguments.getString("source"), arguments.getString("entity"))
            : Optional.of(Long.parseLong(run));
    if (id.isEmpty() || reports.find(id.get(), 0).isEmpty()) {
      System.err.println(
          run.equals("latest") ? "No such run is recorded yet." : "There is no run " + run + ".");
      return ExitCode.FAILED;
    }
    write(reports, id.get(), arguments.getString("format"), arguments.getString("out"), out);
    return ExitCode.OK;
  }

  private static void write(
      Reports reports, long id, String format, @Nullable String file, PrintStream out)
      throws IOException {
    if (file == null) {
      // Not closed: it is the process's own.
      Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
      write(reports, id, format, writer);
      writer.flush();
    } else {
      try (Writer writer = Files.newBufferedWriter(Path.of(file))) {
        write(reports, id, format, writer);
      }
    }
  }

  private static void write(Reports reports, long id, String format, Writer out)
      throws IOException {
    switch (format) {
      case "csv" -> reports.writeCsv(id, out);
      case "html" -> new HtmlReport().write(find(reports, id, Reports.FINDINGS), out);
      case "json" ->
          out.append(ReportJson.of(find(reports, id, JSON_FINDINGS)).toString()).append('\n');
      default -> out.append(ReportText.of(find(reports, id, ReportText.FINDINGS))).append('\n');
    }
  }

  private static FullReport find(Reports reports, long id, int limit) {
    return reports
        .find(id, limit)
        .orElseThrow(() -> new IllegalStateException("run " + id + " is gone"));
  }
}
