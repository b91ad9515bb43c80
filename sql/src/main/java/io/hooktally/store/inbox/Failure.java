package io.hooktally.store.inbox;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a batch was not committed. */
enum Failure {
  /** Something in the batch: a smaller batch may succeed. */
  DATA,
  /** Another transaction was in the way: the same batch may succeed at once. */
  CONTENTION,
  /** The database, whatever the batch holds. */
  UNAVAILABLE;

  // Classes of SQLState: data exception, integrity violation, cardinality, limit exceeded.
  private static final Set<String> OF_DATA = Set.of("21", "22", "23", "54");

  static Failure of(Throwable thrown) {
    SQLException cause = sqlException(thrown);
    if (cause == null) {
      // Thrown by our own code over what the batch holds.
      return DATA;
    }
    String state = cause.getSQLState();
    if (state == null || state.length() != 5 || cause instanceof SQLTransientConnectionException) {
      return UNAVAILABLE;
    }
    String type = state.substring(0, 2);
    if (OF_DATA.contains(type)) {
      return DATA;
    }
    return type.equals("40") ? CONTENTION : UNAVAILABLE;
  }

  /** What a log may say: never the driver's text, which can quote the row. */
  static String describe(Throwable thrown) {
    SQLException cause = sqlException(thrown);
    return cause == null
        ? thrown.getClass().getSimpleName()
        : cause.getClass().getSimpleName() + ", SQLState " + cause.getSQLState();
  }

  private static @Nullable SQLException sqlException(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }
}
