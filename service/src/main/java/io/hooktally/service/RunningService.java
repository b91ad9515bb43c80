package io.hooktally.service;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;
import org.jspecify.annotations.Nullable;

/** The service, running in this process: for the demo and for tests. */
public final class RunningService implements AutoCloseable {
  private final HooktallyApplication application;
  private final Server server;

  private RunningService(HooktallyApplication application, Server server) {
    this.application = application;
    this.server = server;
  }

  /**
   * Starts it just as the command {@code server} does.
   *
   * @throws HooktallyException when it does not start; why is on stderr
   */
  public static RunningService start(HooktallyApplication application, Path config) {
    int code = application.execute("server", config.toString());
    Server server = application.server();
    if (code != HooktallyApplication.RUNS_ON || server == null) {
      throw new HooktallyException("The service did not start.");
    }
    return new RunningService(application, server);
  }

  /** Where deliveries go: the application port's base URL. */
  public URI deliveries() {
    return port("application");
  }

  /** The admin port's base URL. */
  public URI admin() {
    return port("admin");
  }

  /** What it is made of. */
  public Pieces pieces() {
    @Nullable Pieces pieces = application.pieces();
    if (pieces == null) {
      throw new IllegalStateException("not started");
    }
    return pieces;
  }

  /** Stops it as a signal would: deliveries end, then the rest, the database last. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new HooktallyException("The service does not stop: " + e.getMessage(), e);
    }
  }

  private URI port(String name) {
    return Arrays.stream(server.getConnectors())
        .filter(connector -> name.equals(connector.getName()))
        .map(NetworkConnector.class::cast)
        .map(connector -> URI.create("http://127.0.0.1:" + connector.getLocalPort()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("there is no port named " + name));
  }
}
