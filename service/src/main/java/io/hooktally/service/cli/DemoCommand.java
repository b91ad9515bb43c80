package io.hooktally.service.cli;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import io.hooktally.service.demo.Demo;
import io.hooktally.service.demo.DemoResult;
import io.hooktally.service.demo.Story;
import java.nio.file.Path;
import java.time.InstantSource;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** Shows in seconds what Hooktally is for. */
public final class DemoCommand extends Command {
  private static final int FEWEST = 50;
  private static final int MOST = 5000;

  private final InstantSource clock;

  /** As named on the command line. */
  public DemoCommand(InstantSource clock) {
    super(
        "demo",
        "Plays a day of webhooks on a simulated platform, loses some, finds and fixes what is"
            + " wrong. Needs no configuration and leaves nothing behind.");
    this.clock = clock;
  }

  @Override
  public void configure(Subparser parser) {
    parser
        .addArgument("--seed")
        .type(Long.class)
        .setDefault(1L)
        .metavar("N")
        .help("another seed is another day");
    parser
        .addArgument("--orders")
        .type(Integer.class)
        .choices(Arguments.range(FEWEST, MOST))
        .setDefault(300)
        .metavar("N")
        .help("how many orders, " + FEWEST + " to " + MOST);
    parser
        .addArgument("--report")
        .metavar("FILE")
        .help("write the report of the run to this file, as a page of HTML");
    parser
        .addArgument("--json")
        .action(Arguments.storeTrue())
        .help("end with one line of JSON on stdout; the story goes to stderr");
  }

  @Override
  public void run(Bootstrap<?> bootstrap, Namespace arguments) throws Exception {
    boolean json = arguments.getBoolean("json");
    Story story = new Story(json ? System.err : System.out);
    String page = arguments.getString("report");
    DemoResult result =
        new Demo(clock, story, page == null ? null : Path.of(page))
            .play(arguments.getLong("seed"), arguments.getInt("orders"));
    if (json) {
      System.out.println(result.json());
      System.out.flush();
    }
    if (!result.holds()) {
      throw new ExitException(ExitCode.FAILED);
    }
  }

  @Override
  public void onError(Cli cli, Namespace arguments, Throwable error) {
    ErrorText.print(error, cli.getStdErr());
  }
}
