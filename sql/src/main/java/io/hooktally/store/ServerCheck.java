package io.hooktally.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds out whether a server keeps what it has confirmed, and whether it can hold what we store.
 */
final class ServerCheck {
  private static final int OLDEST_MAJOR = 14;
  private static final int MAJOR = 10_000;

  private static final Map<String, String> MUST_BE_ON =
      Map.of(
          "fsync", "a power cut may destroy the whole database",
          "full_page_writes", "a power cut may leave half-written pages");

  private ServerCheck() {}

  static void check(Connection connection, DatabaseAddress address) throws SQLException {
    List<String> problems = new ArrayList<>();
    int version = Integer.parseInt(show(connection, "server_version_num"));
    if (version < OLDEST_MAJOR * MAJOR) {
      problems.add(
          String.format(
              Locale.ROOT,
              "it is PostgreSQL %s: use %d or newer",
              show(connection, "server_version"),
              OLDEST_MAJOR));
    }
    for (Map.Entry<String, String> setting : MUST_BE_ON.entrySet()) {
      if (!show(connection, setting.getKey()).equals("on")) {
        problems.add(
            String.format(
                Locale.ROOT,
                "%1$s is off, so that %2$s: set %1$s = on in postgresql.conf and reload",
                setting.getKey(),
                setting.getValue()));
      }
    }
    checkCommit(connection, problems);
    checkEncoding(connection, problems);
    if (show(connection, "transaction_read_only").equals("on")) {
      problems.add(
          "it takes no writes (a standby, or default_transaction_read_only is on): name the primary,"
              + " for instance with targetServerType=primary in database.url");
    }
    if (!problems.isEmpty()) {
      throw new StoreException(
          "The database "
              + address
              + " cannot be used: "
              + String.join("; ", problems)
              + ". (Webhooks that were answered must survive a crash.)");
    }
  }

  /**
   * {@code off} confirms a commit before it is on disk, so that a crash loses events we answered.
   * {@code local} is enough: it waits for this server's own disk, which is the promise we make;
   * waiting for standbys beyond that is the operator's decision.
   */
  private static void checkCommit(Connection connection, List<String> problems)
      throws SQLException {
    if (show(connection, "synchronous_commit").equals("off")) {
      problems.add(
          "synchronous_commit is off for this role and database, so that a crash loses commits that"
              + " were confirmed: set it to on (postgresql.conf, ALTER ROLE or ALTER DATABASE)");
    }
  }

  private static void checkEncoding(Connection connection, List<String> problems)
      throws SQLException {
    String encoding = show(connection, "server_encoding");
    if (!encoding.equals("UTF8")) {
      problems.add(
          "its encoding is "
              + encoding
              + ": create the database anew with: create database ... encoding 'UTF8' template template0");
    }
  }

  private static String show(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show " + setting)) {
      row.next();
      return row.getString(1);
    }
  }
}
