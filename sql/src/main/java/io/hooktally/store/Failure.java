package io.hooktally.store;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a transaction was not committed, and whether trying the same again can help. */
public enum Failure {
  /** What was written, or our own code: the same would fail again the same way. */
  DATA,
  /** Another transaction was in the way: the same may succeed at once. */
  CONTENTION,
  /** The database, whatever was to be written: it is away, full, or refuses to write. */
  UNAVAILABLE;

  // Classes of SQLState: data exception, integrity violation, cardinality, limit exceeded.
  private static final Set<String> OF_DATA = Set.of("21", "22", "23", "54");

  /** What kind of failure a throwable of a database call is. */
  public static Failure of(Throwable thrown) {
    SQLException cause = sqlException(thrown);
    if (cause == null) {
      // Thrown by our own code.
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
  public static String describe(Throwable thrown) {
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
