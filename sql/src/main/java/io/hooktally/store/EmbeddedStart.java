package io.hooktally.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps that lead to a running server that is ours. The caller holds the directory's lock. */
final class EmbeddedStart {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStart.class);

  /**
   * Below the range from which systems give out the ports of outgoing connections. Inside it a
   * client that keeps trying to reconnect to a stopped server can be given that very port as its
   * own, connects to itself, and keeps the server from ever coming back.
   */
  private static final int FIRST_PORT = 20_000;

  private static final int PORTS = 10_000;
  private static final int PORT_ATTEMPTS = 50;

  private final DataDirectory directory;
  private final PostgresPrograms programs;
  private final EmbeddedDatabase.Options options;
  private final PostgresServer server;

  EmbeddedStart(
      DataDirectory directory, PostgresPrograms programs, EmbeddedDatabase.Options options) {
    this.directory = directory;
    this.programs = programs;
    this.options = options;
    this.server = new PostgresServer(directory);
  }

  /**
   * Returns the port of a server that answers, started now or found running.
   *
   * @param temporary the data need not survive a power cut
   */
  int startOrAdopt(boolean temporary) throws IOException {
    String version = programs.version();
    if (directory.isInitialised()) {
      EmbeddedSetup.refuseOtherMajor(directory, version);
      Optional<PostmasterPid> orphan = server.adopt(options.timeout());
      if (orphan.isPresent()) {
        LOG.info("Took over the PostgreSQL that still ran on {}", directory.root());
        return orphan.get().port();
      }
    } else {
      LOG.info("Creating a database in {}", directory.root());
      DataDirectory.createPassword(directory.superuserPasswordFile());
      programs.initdb(EmbeddedSetup.initialSettings(), !temporary);
    }
    int port = choosePort();
    restart(port);
    programs.removeOlder();
    LOG.info("PostgreSQL {} runs on port {}, data in {}", version, port, directory.root());
    return port;
  }

  /** Starts a server on this port where none runs, after a crash too. */
  void restart(int port) throws IOException {
    Optional<PostmasterPid> present = server.adopt(options.timeout());
    if (present.isPresent() && present.get().port() == port) {
      return;
    }
    EmbeddedSetup.writeAccessRules(directory);
    programs.start(port, settings(), options.timeout());
    DataDirectory.writeDurably(directory.portFile(), Integer.toString(port));
  }

  /** Makes sure that the role and the database are there. */
  void setUp(int port, boolean mayCreateDatabases) throws IOException {
    DataDirectory.createPassword(directory.passwordFile());
    String password = DataDirectory.readPassword(directory.passwordFile());
    try (Connection superuser =
        server.connectAsSuperuser(port, PostgresServer.SUPERUSER, options.timeout())) {
      EmbeddedSetup.createRoleAndDatabase(superuser, password, mayCreateDatabases);
    } catch (SQLException e) {
      throw new StoreException("Could not set up the database in " + directory.root(), e);
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(EmbeddedSetup.enforcedSettings());
    settings.putAll(options.settings());
    return settings;
  }

  private int choosePort() throws IOException {
    if (options.port() != 0) {
      return options.port();
    }
    if (Files.exists(directory.portFile())) {
      int last = Integer.parseInt(Files.readString(directory.portFile()).strip());
      if (isFree(last)) {
        return last;
      }
    }
    SecureRandom random = new SecureRandom();
    for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
      int port = FIRST_PORT + random.nextInt(PORTS);
      if (isFree(port)) {
        return port;
      }
    }
    throw new StoreException("No free port was found on " + PostgresServer.HOST);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
