package io.hooktally.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What an embedded PostgreSQL is given: its settings, who may log in, the role and the database.
 */
final class EmbeddedSetup {
  /** The role the application uses, and the database it owns. */
  static final String NAME = "hooktally";

  private EmbeddedSetup() {}

  /** Written to postgresql.conf once; the operator may change them there. */
  static Map<String, String> initialSettings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("max_connections", "120");
    settings.put("shared_buffers", "128MB");
    settings.put("max_wal_size", "2GB");
    settings.put("timezone", "UTC");
    settings.put("log_timezone", "UTC");
    return settings;
  }

  /** Given at every start; no file can override them. Values without spaces: a shell reads them. */
  static Map<String, String> enforcedSettings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("fsync", "on");
    settings.put("synchronous_commit", "on");
    settings.put("full_page_writes", "on");
    settings.put("listen_addresses", PostgresServer.HOST);
    settings.put("unix_socket_directories", "");
    // To files, one per weekday, each begun afresh a week later.
    settings.put("logging_collector", "on");
    settings.put("log_directory", "../log");
    settings.put("log_filename", "postgresql-%a.log");
    settings.put("log_truncate_on_rotation", "on");
    settings.put("log_rotation_age", "1d");
    settings.put("log_rotation_size", "0");
    // Neither statements nor details of errors: both may hold payloads.
    settings.put("log_min_error_statement", "panic");
    settings.put("log_error_verbosity", "terse");
    return settings;
  }

  /** Nobody logs in without a password, and nobody from another machine. */
  static void writeAccessRules(DataDirectory directory) throws IOException {
    Files.writeString(
        directory.pgdata().resolve("pg_hba.conf"),
        """
        # Written by Hooktally at every start.
        host all all 127.0.0.1/32 scram-sha-256
        """);
  }

  /**
   * Refuses data files of another major version of PostgreSQL.
   *
   * @param bundled the version we bring, {@code 18.4}
   */
  static void refuseOtherMajor(DataDirectory directory, String bundled) throws IOException {
    Path file = directory.pgdata().resolve("PG_VERSION");
    String found = Files.readString(file, StandardCharsets.US_ASCII).strip();
    String ours = bundled.split("\\.", 2)[0];
    if (!found.equals(ours)) {
      throw new StoreException(
          String.format(
              Locale.ROOT,
              "The data in %1$s was written by PostgreSQL %2$s, and Hooktally brings %3$s, which"
                  + " cannot read it. Either run the Hooktally release that wrote it; or serve %1$s"
                  + " with a PostgreSQL %2$s of your own, pg_dump it, restore the dump into a PostgreSQL"
                  + " server and name that in config.yml (database.url: jdbc:postgresql://...); or move"
                  + " %4$s away to begin with an empty database.",
              directory.pgdata(),
              found,
              bundled,
              directory.root()));
    }
  }

  /**
   * Creates the application's role and its database where they are missing, and sets its password.
   */
  static void createRoleAndDatabase(
      Connection superuser, String password, boolean mayCreateDatabases) throws SQLException {
    try (Statement statement = superuser.createStatement()) {
      if (!exists(superuser, "select 1 from pg_roles where rolname = ?")) {
        statement.execute("create role " + NAME);
      }
      // The password is ours: letters, digits, dash and underscore.
      statement.execute(
          "alter role "
              + NAME
              + " login nosuperuser nocreaterole "
              + (mayCreateDatabases ? "createdb" : "nocreatedb")
              + " password '"
              + password
              + "'");
      if (!exists(superuser, "select 1 from pg_database where datname = ?")) {
        statement.execute("create database " + NAME + " owner " + NAME);
      }
    }
  }

  /** Where the application connects. */
  static DatabaseAddress address(DataDirectory directory, int port) {
    return new DatabaseAddress(
        "jdbc:postgresql://" + PostgresServer.HOST + ":" + port + "/" + NAME,
        NAME,
        new Secret(DataDirectory.readPassword(directory.passwordFile())));
  }

  /** True when the application can connect, while another process may still be setting up. */
  static boolean isComplete(DataDirectory directory, int port) {
    if (!Files.exists(directory.passwordFile())) {
      return false;
    }
    PoolOptions once = PoolOptions.work("join", 1);
    try (Connection connection =
        Database.dataSource(address(directory, port), once).getConnection()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private static boolean exists(Connection connection, String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, NAME);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }
}
