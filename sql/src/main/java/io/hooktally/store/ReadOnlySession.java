package io.hooktally.store;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Gives up a connection that leads to where nothing can be written: after a failover, or while an
 * operator keeps the server read-only. The next one may lead to a server that takes writes again.
 * For the pool, which wants a class of its own for this.
 */
public final class ReadOnlySession implements SQLExceptionOverride {
  private static final String READ_ONLY_TRANSACTION = "25006";

  /** For the pool. */
  public ReadOnlySession() {}

  @java.lang.Override
  public Override adjudicate(SQLException thrown) {
    return READ_ONLY_TRANSACTION.equals(thrown.getSQLState())
        ? Override.MUST_EVICT
        : Override.CONTINUE_EVICT;
  }
}
