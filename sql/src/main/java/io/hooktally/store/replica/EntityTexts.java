package io.hooktally.store.replica;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies of the entity table as text, without parsing them: a comparison of many rows that
 * agree needs no more.
 */
final class EntityTexts {
  private static final String SELECT =
      """
      select entity_id, modified_second, modified_nano, body
      from entity
      where source = :source and entity_type = :type and not deleted
      """;

  private EntityTexts() {}

  static List<EntityText> window(
      Handle handle,
      String source,
      String entityType,
      Instant from,
      Instant to,
      @Nullable EntityText after,
      int limit) {
    Instant end = after == null ? to : after.modified();
    return handle
        .createQuery(
            SELECT
                + """
                  and (modified_second, modified_nano) >= (:second, :nano)
                  and (modified_second, modified_nano, entity_id) < (:toSecond, :toNano, :before)
                order by modified_second desc, modified_nano desc, entity_id desc
                limit :limit
                """)
        .bind("source", source)
        .bind("type", entityType)
        .bind("second", from.getEpochSecond())
        .bind("nano", from.getNano())
        .bind("toSecond", end.getEpochSecond())
        .bind("toNano", end.getNano())
        // No id is less than the empty text: rows at the window's end stay out.
        .bind("before", after == null ? "" : after.entityId())
        .bind("limit", limit)
        .map(EntityTexts::row)
        .list();
  }

  // By place: names would be looked up for every row.
  private static EntityText row(ResultSet row, StatementContext context) throws SQLException {
    return new EntityText(
        row.getString(1), Instant.ofEpochSecond(row.getLong(2), row.getInt(3)), row.getBytes(4));
  }
}
