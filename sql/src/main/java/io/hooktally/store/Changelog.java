package io.hooktally.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.Scope.ScopedRunnerWithReturn;
import liquibase.UpdateSummaryEnum;
import liquibase.UpdateSummaryOutputEnum;
import liquibase.changelog.ChangeSet;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.ui.LoggerUIService;

/** Liquibase over one connection: silent on the console, reporting nothing to anybody. */
final class Changelog implements AutoCloseable {
  private static final String FILE = "db/changelog.yaml";
  private static final String HISTORY_TABLE = "databasechangelog";
  private static final String LOCK_TABLE = "databasechangeloglock";

  private final Connection connection;
  private final Liquibase liquibase;

  private Changelog(Connection connection, Liquibase liquibase) {
    this.connection = connection;
    this.liquibase = liquibase;
  }

  /** Reads the change sets. The connection stays the caller's to close. */
  static Changelog open(Connection connection) {
    return new Changelog(
        connection,
        quietly(
            () -> {
              liquibase.database.Database database =
                  DatabaseFactory.getInstance()
                      .findCorrectDatabaseImplementation(new JdbcConnection(connection));
              database.setDefaultSchemaName(Database.SCHEMA);
              database.setLiquibaseSchemaName(Database.SCHEMA);
              Liquibase liquibase =
                  new Liquibase(
                      FILE,
                      new ClassLoaderResourceAccessor(Changelog.class.getClassLoader()),
                      database);
              liquibase.setShowSummary(UpdateSummaryEnum.OFF);
              liquibase.setShowSummaryOutput(UpdateSummaryOutputEnum.LOG);
              return liquibase;
            }));
  }

  /** Ids of what is not applied, in order. Creates nothing, not even Liquibase's tables. */
  List<String> pending() throws SQLException {
    boolean begun = hasTable(HISTORY_TABLE);
    return quietly(
        () -> {
          List<ChangeSet> sets =
              begun
                  ? liquibase.listUnrunChangeSets(new Contexts(), new LabelExpression())
                  : liquibase.getDatabaseChangeLog().getChangeSets();
          return sets.stream().map(ChangeSet::getId).toList();
        });
  }

  /** Applies what is not applied. */
  void update() {
    quietly(
        () -> {
          liquibase.update(new Contexts());
          return true;
        });
  }

  /** Frees the row by which Liquibase keeps others out; the caller knows that nobody is at work. */
  void releaseLockRow() throws SQLException {
    if (!hasTable(LOCK_TABLE)) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "update "
              + Database.SCHEMA
              + "."
              + LOCK_TABLE
              + " set locked = false, lockgranted = null, lockedby = null where locked");
    }
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
  }

  /** True when the query, given the one parameter, finds a row. */
  static boolean exists(Connection connection, String query, String parameter) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, parameter);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  private boolean hasTable(String table) throws SQLException {
    return exists(
        connection,
        "select 1 from pg_tables where schemaname = '" + Database.SCHEMA + "' and tablename = ?",
        table);
  }

  @Override
  public void close() {
    quietly(
        () -> {
          liquibase.close();
          return true;
        });
  }

  private static <T> T quietly(ScopedRunnerWithReturn<T> work) {
    Map<String, Object> scope = new HashMap<>();
    scope.put(Scope.Attr.ui.name(), new LoggerUIService());
    scope.put(Scope.Attr.logService.name(), new LiquibaseLog());
    scope.put("liquibase.analytics.enabled", false);
    scope.put("liquibase.showBanner", false);
    try {
      return Scope.child(scope, work);
    } catch (Exception e) {
      throw new StoreException(
          "The database's schema could not be brought up to date: " + e.getMessage(), e);
    }
  }
}
