package io.hooktally.store.inbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jdbi.v3.core.argument.Argument;
import org.jspecify.annotations.Nullable;

/** What the rows of this package share. */
final class Sql {
  private Sql() {}

  /** A whole column of a batch, bound as one array. */
  static Argument array(String type, @Nullable Object[] values) {
    return (position, statement, context) ->
        statement.setArray(position, statement.getConnection().createArrayOf(type, values));
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
