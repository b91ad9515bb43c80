package io.hooktally.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.postgres.PostgresPlugin;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A pool of connections to one database, and JDBI over it. Sessions find tables in schema {@code
 * hooktally} without naming it. Error messages hold neither values nor bound arguments: both may be
 * payloads. Thread-safe; close it before the server it leads to.
 */
public final class Database implements AutoCloseable {
  /** The schema that holds every table of ours. */
  public static final String SCHEMA = "hooktally";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

  private final DatabaseAddress address;
  private final HikariDataSource pool;
  private final Jdbi jdbi;

  private Database(DatabaseAddress address, HikariDataSource pool) {
    this.address = address;
    this.pool = pool;
    this.jdbi = createJdbi(pool);
  }

  /**
   * Opens a pool.
   *
   * @throws StoreException when the server cannot be reached and {@link PoolOptions#mustConnect()}
   */
  public static Database open(DatabaseAddress address, PoolOptions options) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("hooktally-" + options.name());
    config.setDataSource(dataSource(address, options));
    config.setMaximumPoolSize(options.size());
    config.setConnectionTimeout(options.connectionTimeout().toMillis());
    config.setValidationTimeout(options.connectionTimeout().toMillis());
    config.setConnectionInitSql(
        "set time zone '"
            + options.zone().getId()
            + "'; set idle_in_transaction_session_timeout = "
            + options.idleInTransaction().toMillis());
    config.setExceptionOverride(new ReadOnlySession());
    // Positive: one attempt within that many ms. Negative: do not even try.
    config.setInitializationFailTimeout(options.mustConnect() ? 1 : -1);
    try {
      return new Database(address, new HikariDataSource(config));
    } catch (RuntimeException e) {
      throw new StoreException(
          String.format(
              Locale.ROOT,
              "The database %s cannot be reached: %s. Is PostgreSQL running there, and are url, user"
                  + " and password in config.yml (database) right?",
              address,
              rootMessage(e)),
          e);
    }
  }

  /** Another pool to the same database, for other needs; closed by its caller. */
  public Database openAnother(PoolOptions options) {
    return open(address, options);
  }

  /** JDBI over this pool, with SQL objects and arrays of text, numbers, bytes and instants. */
  public Jdbi jdbi() {
    return jdbi;
  }

  /** The pool itself, for libraries that want one; closed with this database only. */
  public DataSource dataSource() {
    return pool;
  }

  /** Where it leads. */
  public DatabaseAddress address() {
    return address;
  }

  /**
   * Checks that the server is fit to be a store of record.
   *
   * @throws StoreException naming all that is wrong and what to do
   */
  public void check() {
    try (Connection connection = pool.getConnection()) {
      ServerCheck.check(connection, address);
    } catch (SQLException e) {
      throw new StoreException("Could not ask " + address + " for its settings", e);
    }
  }

  /** Closes all connections; those in use are cut. */
  @Override
  public void close() {
    pool.close();
  }

  /** A source of single connections, with the settings that all of ours share. */
  static PGSimpleDataSource dataSource(DatabaseAddress address, PoolOptions options) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(address.url());
    if (!address.user().isEmpty()) {
      source.setUser(address.user());
      source.setPassword(address.password().value());
    }
    source.setApplicationName("hooktally " + options.name());
    source.setCurrentSchema(SCHEMA);
    source.setConnectTimeout((int) CONNECT_TIMEOUT.toSeconds());
    source.setSocketTimeout(secondsRoundedUp(options.socketTimeout()));
    source.setTcpKeepAlive(true);
    source.setLogServerErrorDetail(false);
    return source;
  }

  private static int secondsRoundedUp(Duration duration) {
    return Math.toIntExact(duration.plusMillis(999).toSeconds());
  }

  private static Jdbi createJdbi(HikariDataSource pool) {
    Jdbi jdbi = Jdbi.create(pool);
    jdbi.installPlugin(new PostgresPlugin());
    jdbi.installPlugin(new SqlObjectPlugin());
    jdbi.registerArrayType(new InstantArrayType());
    jdbi.registerArrayType(Boolean.class, "boolean");
    jdbi.registerArrayType(Short.class, "smallint");
    jdbi.getConfig(StatementExceptions.class)
        .setMessageRendering(StatementExceptions.MessageRendering.NONE);
    return jdbi;
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
