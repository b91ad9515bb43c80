package io.hooktally.reconcile.job;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.quartz.utils.ConnectionProvider;

/** Gives Quartz connections of our pool, which stays ours to close. */
final class PoolConnections implements ConnectionProvider {
  private final DataSource pool;

  PoolConnections(DataSource pool) {
    this.pool = pool;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return pool.getConnection();
  }

  @Override
  public void initialize() {}

  @Override
  public void shutdown() {}
}
