package io.hooktally.service.cli;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.ConfiguredCommand;
import io.dropwizard.core.setup.Bootstrap;
import io.hooktally.service.HooktallyConfiguration;
import java.io.PrintStream;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** A command that reads config.yml, writes its results to stdout and ends with an exit code. */
abstract class HooktallyCommand extends ConfiguredCommand<HooktallyConfiguration> {
  HooktallyCommand(String name, String description) {
    super(name, description);
  }

  /**
   * Does the work.
   *
   * @return the exit code, see {@link ExitCode}
   */
  abstract int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out)
      throws Exception;

  @Override
  protected Class<HooktallyConfiguration> getConfigurationClass() {
    return HooktallyConfiguration.class;
  }

  @Override
  protected Argument addFileArgument(Subparser subparser) {
    return subparser.addArgument("file").metavar("config.yml").help("the configuration file");
  }

  @Override
  protected void run(
      Bootstrap<HooktallyConfiguration> bootstrap,
      Namespace arguments,
      HooktallyConfiguration configuration)
      throws Exception {
    int code = execute(arguments, configuration, System.out);
    System.out.flush();
    if (code != ExitCode.OK) {
      throw new ExitException(code);
    }
  }

  @Override
  public void onError(Cli cli, Namespace arguments, Throwable error) {
    ErrorText.print(error, cli.getStdErr());
  }
}
