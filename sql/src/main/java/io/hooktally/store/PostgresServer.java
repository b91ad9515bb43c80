package io.hooktally.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Finds out whether a PostgreSQL runs on a data directory, and talks to it as its superuser. Starts
 * and stops nothing.
 */
final class PostgresServer {
  static final String HOST = "127.0.0.1";
  static final String SUPERUSER = "postgres";
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);

  private final DataDirectory directory;

  PostgresServer(DataDirectory directory) {
    this.directory = directory;
  }

  /** The server of this data directory, if it runs and answers. */
  Optional<PostmasterPid> answering() {
    return PostmasterPid.read(directory.pgdata()).filter(this::answers);
  }

  /** True when the process of {@code postmaster.pid} lives and is the server of this directory. */
  boolean isAlive() {
    return PostmasterPid.read(directory.pgdata())
        .map(PostmasterPid::pid)
        .filter(this::isOurs)
        .isPresent();
  }

  /**
   * Settles what an earlier server left behind: adopts it if it runs and answers, waits for it if
   * it is ours and still on its way up or down, and removes a {@code postmaster.pid} whose number
   * now belongs to somebody else.
   *
   * @return the adopted server; empty when nothing runs here and one can be started
   * @throws StoreException when ours is there and does not answer in time
   */
  Optional<PostmasterPid> adopt(Duration timeout) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      Optional<PostmasterPid> file = PostmasterPid.read(directory.pgdata());
      if (file.isEmpty() || answers(file.get())) {
        return file;
      }
      long pid = file.get().pid();
      if (!isOurs(pid) && !hasProcesses()) {
        // PostgreSQL deals with a dead pid itself, and more carefully; one that is alive, somebody
        // else's (or a dead process nobody has reaped), would make it refuse to start.
        if (ProcessHandle.of(pid).isPresent()) {
          PostmasterPid.delete(directory.pgdata());
        }
        return Optional.empty();
      }
      if (System.nanoTime() > deadline) {
        throw new StoreException(
            String.format(
                Locale.ROOT,
                "A PostgreSQL (process %d) runs on %s and has not answered for %s. Its log is in %s."
                    + " Let it finish, or stop it (kill -INT %d), and start again.",
                pid,
                directory.pgdata(),
                timeout,
                directory.log(),
                pid));
      }
      Pause.shortly();
    }
  }

  /** A new connection as the superuser. The caller closes it. */
  Connection connectAsSuperuser(int port, String database, Duration timeout) throws SQLException {
    String password = DataDirectory.readPassword(directory.superuserPasswordFile());
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {HOST});
    source.setPortNumbers(new int[] {port});
    source.setDatabaseName(database);
    int seconds = Math.max(1, Math.toIntExact(timeout.toSeconds()));
    source.setLoginTimeout(seconds);
    source.setSocketTimeout(seconds);
    source.setApplicationName("hooktally setup");
    return source.getConnection(SUPERUSER, password);
  }

  /**
   * Answers, knows our password, and serves this very directory rather than one it was copied from.
   */
  private boolean answers(PostmasterPid server) {
    if (!server.ready() || !Files.exists(directory.superuserPasswordFile())) {
      return false;
    }
    try (Connection connection = connectAsSuperuser(server.port(), SUPERUSER, PROBE_TIMEOUT);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show data_directory")) {
      return row.next() && Files.isSameFile(Path.of(row.getString(1)), directory.pgdata());
    } catch (SQLException | IOException e) {
      return false;
    }
  }

  private boolean hasProcesses() {
    return ProcessHandle.allProcesses().anyMatch(this::isOurs);
  }

  private boolean isOurs(long pid) {
    return ProcessHandle.of(pid).filter(this::isOurs).isPresent();
  }

  /**
   * A PostgreSQL process of this data directory. Its current directory says so where the system
   * shows it; elsewhere its program, which was unpacked beside the data. A dead process that nobody
   * has reaped shows neither.
   */
  private boolean isOurs(ProcessHandle process) {
    try {
      Path current = Path.of("/proc", Long.toString(process.pid()), "cwd").toRealPath();
      return current.equals(directory.pgdata());
    } catch (IOException e) {
      return process.info().command().map(Path::of).filter(this::isOurProgram).isPresent();
    }
  }

  private boolean isOurProgram(Path command) {
    return command.startsWith(directory.root())
        && command.getFileName().toString().startsWith("postgres");
  }
}
