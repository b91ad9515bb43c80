package io.hooktally.service;

import java.net.URI;
import java.nio.file.Path;
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
    return Ports.url(server, "application");
  }

  /** The admin port's base URL. */
  public URI admin() {
    return Ports.url(server, "admin");
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
}
