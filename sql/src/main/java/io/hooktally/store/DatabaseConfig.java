package io.hooktally.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The section {@code database} of config.yml. What is left out (null) gets its default here.
 *
 * @param url {@code embedded} (default): Hooktally runs a PostgreSQL of its own; or a JDBC URL,
 *     {@code jdbc:postgresql://host:5432/database}, of a PostgreSQL 14 or newer
 * @param user the role to log in as; default: empty, the URL decides; not for {@code embedded}
 * @param password its password; default: not configured, the URL decides; not for {@code embedded}
 * @param poolSize the most connections that a pool opens, 2 to 500; default 16
 * @param dataDir with {@code embedded}: the directory that holds the data, relative to the working
 *     directory; default {@code data}
 * @param connectionTimeout how long one waits for a connection before the database counts as away,
 *     250 ms to one minute; default 1.5 seconds
 */
public record DatabaseConfig(
    String url,
    String user,
    Secret password,
    Integer poolSize,
    Path dataDir,
    Duration connectionTimeout) {
  /** The URL that stands for a PostgreSQL of our own. */
  public static final String EMBEDDED = "embedded";

  private static final String SERVER_PREFIX = "jdbc:postgresql:";
  private static final int DEFAULT_POOL = 16;
  private static final int SMALLEST_POOL = 2;
  private static final int LARGEST_POOL = 500;

  /** PostgreSQL's own max_connections is 60 when embedded; some are for commands and tools. */
  private static final int LARGEST_EMBEDDED_POOL = 40;

  private static final Path DEFAULT_DIRECTORY = Path.of("data");
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(1500);
  private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(250);
  private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);

  /** Fills in the defaults. */
  public DatabaseConfig {
    url = url == null || url.isBlank() ? EMBEDDED : url.strip();
    user = user == null ? "" : user;
    password = password == null ? Secret.none() : password;
    poolSize = poolSize == null ? DEFAULT_POOL : poolSize;
    dataDir = dataDir == null ? DEFAULT_DIRECTORY : dataDir;
    connectionTimeout = connectionTimeout == null ? DEFAULT_TIMEOUT : connectionTimeout;
  }

  /** A PostgreSQL of our own with its data there; all else by default. */
  public static DatabaseConfig embedded(Path dataDir) {
    return new DatabaseConfig(EMBEDDED, "", Secret.none(), DEFAULT_POOL, dataDir, DEFAULT_TIMEOUT);
  }

  /** That PostgreSQL; all else by default. */
  public static DatabaseConfig server(DatabaseAddress address) {
    return new DatabaseConfig(
        address.url(),
        address.user(),
        address.password(),
        DEFAULT_POOL,
        DEFAULT_DIRECTORY,
        DEFAULT_TIMEOUT);
  }

  /** True when Hooktally runs its own PostgreSQL. */
  public boolean isEmbedded() {
    return EMBEDDED.equals(url);
  }

  /**
   * Where the server is.
   *
   * @throws IllegalStateException when {@link #isEmbedded()}: then the embedded database says
   */
  public DatabaseAddress address() {
    if (isEmbedded()) {
      throw new IllegalStateException("an embedded database has its address once it is open");
    }
    return new DatabaseAddress(url, user, password);
  }

  /**
   * What is wrong with the values: one message each, with the key, what it should look like and
   * what to do. Empty when all is well. Connects to nothing; shows no password.
   *
   * @param prefix the section's name, {@code database}
   */
  public List<String> problems(String prefix) {
    List<String> problems = new ArrayList<>();
    if (!isEmbedded() && !url.startsWith(SERVER_PREFIX)) {
      problems.add(
          prefix
              + ".url must be 'embedded' or begin with 'jdbc:postgresql:'. Write 'embedded' to let"
              + " Hooktally run its own PostgreSQL, or jdbc:postgresql://host:5432/database");
    }
    if (isEmbedded() && (!user.isEmpty() || password.isConfigured())) {
      problems.add(
          prefix
              + ".user and "
              + prefix
              + ".password have no meaning with url: embedded, which makes its own. Remove them, or"
              + " set "
              + prefix
              + ".url to the server they are for");
    }
    if (user.isEmpty() && password.isConfigured()) {
      problems.add(prefix + ".password is set without " + prefix + ".user. Set the user too");
    }
    int largest = isEmbedded() ? LARGEST_EMBEDDED_POOL : LARGEST_POOL;
    if (poolSize < SMALLEST_POOL || poolSize > largest) {
      problems.add(
          String.format(
              "%s.poolSize is %d and must be a number of connections from %d to %d%s",
              prefix, poolSize, SMALLEST_POOL, largest, isEmbedded() ? " with url: embedded" : ""));
    }
    if (connectionTimeout.compareTo(SHORTEST_TIMEOUT) < 0
        || connectionTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
      problems.add(
          String.format(
              "%s.connectionTimeout is %d ms and must be from 250 ms to one minute",
              prefix, connectionTimeout.toMillis()));
    }
    return List.copyOf(problems);
  }

  /** Without the password, nor the URL's parameters, which may hold one. */
  @Override
  public String toString() {
    String where = isEmbedded() ? "embedded in " + dataDir : address().toString();
    return "DatabaseConfig[" + where + ", poolSize=" + poolSize + "]";
  }
}
