package io.hooktally.service.cli;

import io.dropwizard.core.Application;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.EnvironmentCommand;
import io.dropwizard.core.setup.Environment;
import io.hooktally.service.HooktallyConfiguration;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the service until it is told to stop. */
public final class ServerCommand extends EnvironmentCommand<HooktallyConfiguration> {
  private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);

  /** For that application. */
  public ServerCommand(Application<HooktallyConfiguration> application) {
    super(application, "server", "Receives deliveries, keeps the replica, reconciles once a day.");
  }

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
      Environment environment, Namespace arguments, HooktallyConfiguration configuration)
      throws Exception {
    Server server = configuration.getServerFactory().build(environment);
    server.addEventListener(
        new LifeCycle.Listener() {
          @Override
          public void lifeCycleStopped(LifeCycle event) {
            cleanup();
          }
        });
    cleanupAsynchronously();
    try {
      server.start();
    } catch (Exception e) {
      stop(server);
      throw e;
    }
  }

  @Override
  public void onError(Cli cli, Namespace arguments, Throwable error) {
    ErrorText.print(error, cli.getStdErr());
  }

  private static void stop(Server server) {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("could not stop cleanly: {}", e.toString());
    }
  }
}
