package io.hooktally.store;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Runs PostgreSQL's own programs on a data directory: create it, start the server, stop it.
 *
 * <p>The server is started by pg_ctl, which makes it the leader of a session of its own: Ctrl-C in
 * a terminal reaches us and not the server, so it is still there while we finish our work.
 */
final class PostgresPrograms {
  private static final Set<String> INHERITED =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "TMPDIR",
          "TEMP",
          "TMP",
          "SystemRoot",
          "ComSpec",
          "LD_LIBRARY_PATH",
          "TZ");
  private static final Duration INITDB_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration VERSION_TIMEOUT = Duration.ofSeconds(20);

  /** pg_ctl gives up by itself; this much later we give up on pg_ctl. */
  private static final Duration PG_CTL_GRACE = Duration.ofSeconds(15);

  private static final int MESSAGE_LIMIT = 2000;

  private final DataDirectory directory;
  private final PostgresBundle bundle;

  PostgresPrograms(DataDirectory directory, PostgresBundle bundle) {
    this.directory = directory;
    this.bundle = bundle;
  }

  /**
   * Refuses root where PostgreSQL could not be run as root.
   *
   * @throws StoreException with the ways out
   */
  static void refuseHelplessRoot(DataDirectory directory) throws IOException {
    if (directory.isUsedByRoot() && !LinuxUtils.isUnshareAvailable()) {
      throw new StoreException(
          "PostgreSQL does not run as root, and the way round that, a user namespace (unshare -U),"
              + " is not available here: the kernel or the container runtime blocks it, or the program"
              + " unshare is missing. Either run Hooktally as an ordinary user, or run a PostgreSQL"
              + " server and name it in config.yml: database.url:"
              + " jdbc:postgresql://host:5432/hooktally");
    }
  }

  /** Removes what earlier releases unpacked. Not while one of their servers runs. */
  void removeOlder() throws IOException {
    bundle.removeOthersIn(directory.root());
  }

  /** The bundle's version, {@code 18.4}. */
  String version() throws IOException {
    String answer =
        run("find the version of PostgreSQL", VERSION_TIMEOUT, List.of("postgres", "--version"));
    return answer.substring(answer.lastIndexOf(' ') + 1).strip();
  }

  /**
   * Creates the data directory in one step: it is either complete or not there.
   *
   * @param settings what goes into postgresql.conf, where the operator may change it
   * @param durably wait until it is on disk
   */
  void initdb(Map<String, String> settings, boolean durably) throws IOException {
    Path fresh = directory.root().resolve("pgdata.new");
    DataDirectory.deleteRecursively(fresh);
    List<String> command = new ArrayList<>();
    command.addAll(List.of("initdb", "--pgdata", fresh.toString(), "--username", "postgres"));
    command.addAll(List.of("--pwfile", directory.superuserPasswordFile().toString()));
    command.addAll(List.of("--auth", "scram-sha-256", "--encoding", "UTF8", "--no-instructions"));
    // The same order of text on every machine, whatever its C library and environment.
    command.addAll(List.of("--locale", "C", "--locale-provider", "builtin"));
    command.addAll(List.of("--builtin-locale", "C.UTF-8", "--data-checksums"));
    if (!durably) {
      command.add("--no-sync");
    }
    settings.forEach((name, value) -> command.addAll(List.of("--set", name + "=" + value)));
    run("create the database in " + directory.root(), INITDB_TIMEOUT, command);
    Files.move(fresh, directory.pgdata(), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Starts the server and waits until it takes connections.
   *
   * @param settings given on the command line, where they win over every file
   */
  void start(int port, Map<String, String> settings, Duration timeout) throws IOException {
    StringBuilder options = new StringBuilder("-p ").append(port);
    settings.forEach(
        (name, value) -> options.append(" -c ").append(name).append('=').append(value));
    // Up to the point where the server writes to its own log.
    Path early = directory.log().resolve("start.log");
    Files.deleteIfExists(early);
    List<String> command = new ArrayList<>();
    command.addAll(List.of("pg_ctl", "start", "--pgdata", directory.pgdata().toString()));
    command.addAll(List.of("--log", early.toString(), "--options", options.toString()));
    command.addAll(List.of("--wait", "--timeout", Long.toString(timeout.toSeconds())));
    try {
      run("start PostgreSQL on " + directory.root(), timeout.plus(PG_CTL_GRACE), command);
    } catch (StoreException e) {
      throw new StoreException(e.getMessage() + tail(early), e);
    }
  }

  /**
   * Stops the server and waits until it is gone.
   *
   * @param mode {@code fast} (rolls back what is open, writes a checkpoint) or {@code immediate}
   */
  void stop(String mode, Duration timeout) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("pg_ctl", "stop", "--pgdata", directory.pgdata().toString()));
    command.addAll(List.of("--mode", mode));
    command.addAll(List.of("--wait", "--timeout", Long.toString(timeout.toSeconds())));
    run("stop PostgreSQL on " + directory.root(), timeout.plus(PG_CTL_GRACE), command);
  }

  /** Runs one program to its end and returns what it printed. */
  private String run(String purpose, Duration timeout, List<String> command) throws IOException {
    List<String> whole = new ArrayList<>();
    if (LinuxUtils.isUnshareAvailable()) {
      whole.addAll(List.of("unshare", "-U"));
    }
    whole.add(bundle.program(command.get(0)));
    whole.addAll(command.subList(1, command.size()));
    // To a file, not to a pipe: the server inherits it and would keep a pipe open.
    Path output = Files.createTempFile(directory.log(), ".output-", "");
    try {
      ProcessBuilder builder = new ProcessBuilder(whole);
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
      // What the service knows from its environment, secrets above all, is none of theirs.
      builder.environment().keySet().retainAll(INHERITED);
      builder.environment().put("LC_ALL", "C");
      Process process = builder.start();
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new StoreException(
            String.format(Locale.ROOT, "Could not %s within %s.", purpose, timeout));
      }
      if (process.exitValue() != 0) {
        throw new StoreException(
            "Could not " + purpose + ": " + command.get(0) + " failed." + tail(output) + hint());
      }
      return Files.readString(output).strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while trying to " + purpose, e);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private String hint() throws IOException {
    return directory.isUsedByRoot()
        ? " (As root, PostgreSQL runs in a user namespace without root's power over the files of"
            + " others: every directory above the data directory must be open to it.)"
        : "";
  }

  /** The end of a program's output, for a message; empty when there is none. */
  private static String tail(Path file) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
    return text.isEmpty()
        ? ""
        : " It said: " + text.substring(Math.max(0, text.length() - MESSAGE_LIMIT));
  }
}
