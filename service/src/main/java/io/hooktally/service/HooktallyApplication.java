package io.hooktally.service;

import ch.qos.logback.classic.Level;
import io.dropwizard.core.Application;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.util.JarLocation;
import io.hooktally.service.cli.CheckCommand;
import io.hooktally.service.cli.ConsumersCommand;
import io.hooktally.service.cli.DbCommand;
import io.hooktally.service.cli.DeliveriesCommand;
import io.hooktally.service.cli.DemoCommand;
import io.hooktally.service.cli.DisagreementsCommand;
import io.hooktally.service.cli.ExitCode;
import io.hooktally.service.cli.ParkedCommand;
import io.hooktally.service.cli.PingCommand;
import io.hooktally.service.cli.ReplayCommand;
import io.hooktally.service.cli.ReportCommand;
import io.hooktally.service.cli.RunCommand;
import io.hooktally.service.cli.RunsCommand;
import io.hooktally.service.cli.ServerCommand;
import io.hooktally.service.cli.WatermarkCommand;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.jetty.server.Server;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service and its commands. The only place where the pieces are put together. */
public final class HooktallyApplication extends Application<HooktallyConfiguration> {
  /** Answered by {@link #execute} when the service runs on in the background. */
  public static final int RUNS_ON = -1;

  private static final Logger LOG = LoggerFactory.getLogger(HooktallyApplication.class);

  private final InstantSource clock;
  private final Function<String, @Nullable String> variables;
  private volatile @Nullable Server server;
  private volatile @Nullable Pieces pieces;

  /**
   * An application with its surroundings handed in.
   *
   * @param variables answers null for a variable that is not set
   */
  public HooktallyApplication(InstantSource clock, Function<String, @Nullable String> variables) {
    this.clock = clock;
    this.variables = variables;
  }

  /** Runs the command that {@code arguments} name, such as {@code server config.yml}. */
  public static void main(String[] arguments) {
    int code = new HooktallyApplication(InstantSource.system(), System::getenv).execute(arguments);
    if (code != RUNS_ON) {
      // Not by itself: libraries leave threads behind that would delay the end.
      System.exit(code);
    }
  }

  /** Runs one command; answers its exit code or {@link #RUNS_ON}. */
  public int execute(String... arguments) {
    Bootstrap<HooktallyConfiguration> bootstrap = new Bootstrap<>(this);
    addDefaultCommands(bootstrap);
    initialize(bootstrap);
    bootstrap.registerMetrics();
    JarLocation jar = new JarLocation(getClass());
    if (arguments.length == 0) {
      new Cli(jar, bootstrap, System.err, System.err).run("--help");
      return ExitCode.USAGE;
    }
    Cli cli = new Cli(jar, bootstrap, System.out, System.err);
    Optional<Throwable> error = cli.run(arguments);
    if (error.isPresent()) {
      closeWhatWasOpened();
      return ExitCode.of(error.get());
    }
    boolean serves =
        arguments[0].equals("server")
            && !List.of(arguments).contains("--help")
            && !List.of(arguments).contains("-h");
    return serves ? RUNS_ON : ExitCode.OK;
  }

  @Override
  public String getName() {
    return "hooktally";
  }

  @Override
  public void initialize(Bootstrap<HooktallyConfiguration> bootstrap) {
    bootstrap.setConfigurationFactoryFactory(
        (type, validator, mapper, prefix) -> new ConfigFile(mapper, validator, variables));
  }

  @Override
  protected void addDefaultCommands(Bootstrap<HooktallyConfiguration> bootstrap) {
    bootstrap.addCommand(new ServerCommand(this));
    bootstrap.addCommand(new CheckCommand());
    bootstrap.addCommand(new DbCommand());
    bootstrap.addCommand(RunCommand.reconcile(clock));
    bootstrap.addCommand(RunCommand.backfill(clock));
    bootstrap.addCommand(new ReportCommand());
    bootstrap.addCommand(new RunsCommand(clock));
    bootstrap.addCommand(new DisagreementsCommand(clock));
    bootstrap.addCommand(new DeliveriesCommand());
    bootstrap.addCommand(new WatermarkCommand(clock));
    bootstrap.addCommand(new ParkedCommand());
    bootstrap.addCommand(new ConsumersCommand());
    bootstrap.addCommand(new ReplayCommand());
    bootstrap.addCommand(new PingCommand(clock));
    bootstrap.addCommand(new DemoCommand(clock));
  }

  @Override
  protected void bootstrapLogging() {
    StartLogging.toStderr(Level.WARN);
  }

  /** A server that failed to start has not started what it would stop. */
  private void closeWhatWasOpened() {
    Pieces opened = pieces;
    if (opened != null) {
      opened.storage().close();
    }
  }

  /** The server of the running service, once it runs. */
  @Nullable Server server() {
    return server;
  }

  /** What the running service is made of, once it is wired. */
  @Nullable Pieces pieces() {
    return pieces;
  }

  @Override
  public void run(HooktallyConfiguration configuration, Environment environment) {
    environment
        .lifecycle()
        .addServerLifecycleListener(
            started -> {
              server = started;
              LOG.info("Hooktally runs: {}", Ports.of(started));
            });
    pieces = new Wiring(configuration, environment, clock).wire();
  }
}
