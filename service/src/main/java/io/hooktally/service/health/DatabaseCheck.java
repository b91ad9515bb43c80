package io.hooktally.service.health;

import com.codahale.metrics.health.HealthCheck;
import org.jdbi.v3.core.Jdbi;

/** Whether the database answers. */
public final class DatabaseCheck extends HealthCheck {
  private final Jdbi database;

  /** Of that database. */
  public DatabaseCheck(Jdbi database) {
    this.database = database;
  }

  @Override
  protected Result check() {
    try {
      database.useHandle(handle -> handle.execute("select 1"));
      return Result.healthy();
    } catch (RuntimeException e) {
      return Result.unhealthy("The database does not answer; deliveries are answered 503.");
    }
  }
}
