package io.hooktally.store.replica;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import io.hooktally.store.Lane;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** The entity table. Only {@link Replica} writes through it. */
final class EntityRows {
  private static final String SELECT =
      """
      select source, entity_type, entity_id, epoch, modified_second, modified_nano, read_number,
             deleted, body::text as body, encode(body_hash, 'hex') as body_hash, altered, ledger_seq, unsettled, lane, event_id,
             changed_at
      from entity
      """;

  private EntityRows() {}

  static Optional<Entity> find(Handle handle, EntityKey key, boolean lock) {
    String sql =
        SELECT
            + """
            where source = :source and entity_type = :type and entity_id = :id
            """
            + (lock ? "for update" : "");
    return bindKey(handle.createQuery(sql), key).map((row, context) -> entity(row)).findOne();
  }

  static List<Entity> find(
      Handle handle, String source, String entityType, Collection<String> ids) {
    return handle
        .createQuery(
            SELECT + "where source = :source and entity_type = :type and entity_id = any(:ids)")
        .bind("source", source)
        .bind("type", entityType)
        .bindArray("ids", String.class, ids.toArray())
        .map((row, context) -> entity(row))
        .list();
  }

  static List<EntityVersion> window(
      Handle handle,
      String source,
      String entityType,
      Instant from,
      Instant to,
      @Nullable EntityVersion after,
      int limit) {
    Instant start = after == null ? from : requireNonNull(after.version().modified());
    return handle
        .createQuery(
            """
            select entity_id, epoch, modified_second, modified_nano, read_number
            from entity
            where source = :source and entity_type = :type and not deleted
              and (modified_second, modified_nano, entity_id) > (:second, :nano, :after)
              and (modified_second, modified_nano) >= (:second, :nano)
              and (modified_second, modified_nano) < (:toSecond, :toNano)
            order by modified_second, modified_nano, entity_id
            limit :limit
            """)
        .bind("source", source)
        .bind("type", entityType)
        .bind("second", start.getEpochSecond())
        .bind("nano", start.getNano())
        .bind("after", after == null ? "" : after.entityId())
        .bind("toSecond", to.getEpochSecond())
        .bind("toNano", to.getNano())
        .bind("limit", limit)
        .map((row, context) -> new EntityVersion(row.getString("entity_id"), version(row)))
        .list();
  }

  static List<EntityVersion> live(
      Handle handle, String source, String entityType, String afterId, int limit) {
    return handle
        .createQuery(
            """
            select entity_id, epoch, modified_second, modified_nano, read_number
            from entity
            where source = :source and entity_type = :type and not deleted and entity_id > :after
            order by entity_id limit :limit
            """)
        .bind("source", source)
        .bind("type", entityType)
        .bind("after", afterId)
        .bind("limit", limit)
        .map((row, context) -> new EntityVersion(row.getString("entity_id"), version(row)))
        .list();
  }

  static long count(Handle handle, String source, String entityType, Instant from, Instant to) {
    return handle
        .createQuery(
            """
            select count(*) from entity
            where source = :source and entity_type = :type and not deleted
              and (modified_second, modified_nano) >= (:second, :nano)
              and (modified_second, modified_nano) < (:toSecond, :toNano)
            """)
        .bind("source", source)
        .bind("type", entityType)
        .bind("second", from.getEpochSecond())
        .bind("nano", from.getNano())
        .bind("toSecond", to.getEpochSecond())
        .bind("toNano", to.getNano())
        .mapTo(Long.class)
        .one();
  }

  static List<String> others(Handle handle, EntityKey key, int limit) {
    return bindKey(
            handle.createQuery(
                """
                select entity_id from entity
                where source = :source and entity_type = :type and entity_id <> :id and not deleted
                order by modified_second desc, modified_nano desc
                limit :limit
                """),
            key)
        .bind("limit", limit)
        .mapTo(String.class)
        .list();
  }

  static boolean any(Handle handle, String source, String entityType) {
    return handle
        .createQuery(
            "select exists (select from entity where source = :source and entity_type = :type)")
        .bind("source", source)
        .bind("type", entityType)
        .mapTo(Boolean.class)
        .one();
  }

  static ReadTicket beginRead(Handle handle, EntityKey key) {
    return bindKey(
            handle.createQuery(
                """
                select nextval('read_number') as number, entity_id is not null as known,
                       coalesce(epoch, 0) as epoch, modified_second, modified_nano
                from (select) as one
                left join entity on source = :source and entity_type = :type and entity_id = :id
                """),
            key)
        .map(
            (row, context) ->
                new ReadTicket(
                    key,
                    row.getLong("number"),
                    row.getInt("epoch"),
                    row.getBoolean("known"),
                    modified(row)))
        .one();
  }

  /** Answers false where another transaction inserted the row first. */
  static boolean insert(Handle handle, Entity entity) {
    return bind(
                handle.createUpdate(
                    """
                    insert into entity (source, entity_type, entity_id, epoch, modified_second,
                        modified_nano, read_number, deleted, body, body_hash, altered, ledger_seq,
                        unsettled, modified_at, lane, event_id, changed_at)
                    values (:source, :type, :id, :epoch, :second, :nano, :readNumber, :deleted,
                        cast(:body as jsonb), decode(:hash, 'hex'), :altered, :ledgerSeq, :unsettled, :modifiedAt,
                        :lane, :eventId, clock_timestamp())
                    on conflict do nothing
                    """),
                entity)
            .execute()
        == 1;
  }

  static void update(Handle handle, Entity entity) {
    bind(
            handle.createUpdate(
                """
                update entity
                set epoch = :epoch, modified_second = :second, modified_nano = :nano,
                    read_number = :readNumber, deleted = :deleted, body = cast(:body as jsonb),
                    body_hash = decode(:hash, 'hex'), altered = :altered, ledger_seq = :ledgerSeq,
                    unsettled = :unsettled, modified_at = :modifiedAt, lane = :lane,
                    event_id = :eventId, changed_at = clock_timestamp()
                where source = :source and entity_type = :type and entity_id = :id
                """),
            entity)
        .execute();
  }

  /** The content stays, its version does not: the same state was seen again. */
  static void updateVersion(Handle handle, Entity entity) {
    bindKey(
            handle.createUpdate(
                """
                update entity
                set epoch = :epoch, read_number = :readNumber, ledger_seq = :ledgerSeq
                where source = :source and entity_type = :type and entity_id = :id
                """),
            entity.key())
        .bind("epoch", entity.version().epoch())
        .bind("readNumber", entity.version().readNumber())
        .bind("ledgerSeq", entity.ledgerSeq())
        .execute();
  }

  private static <S extends SqlStatement<S>> S bindKey(S statement, EntityKey key) {
    return statement
        .bind("source", key.source())
        .bind("type", key.entityType())
        .bind("id", key.entityId());
  }

  private static <S extends SqlStatement<S>> S bind(S statement, Entity entity) {
    Version version = entity.version();
    Instant modified = version.modified();
    JsonNode body = entity.body();
    return bindKey(statement, entity.key())
        .bind("epoch", version.epoch())
        .bind("second", modified == null ? null : modified.getEpochSecond())
        .bind("nano", modified == null ? null : modified.getNano())
        .bind("readNumber", version.readNumber())
        .bind("deleted", entity.deleted())
        .bind("body", body == null ? null : body.toString())
        .bind("hash", entity.bodyHash())
        .bind("altered", entity.altered())
        .bind("ledgerSeq", entity.ledgerSeq())
        .bind("unsettled", entity.unsettled())
        .bind("modifiedAt", modified == null ? null : modified.atOffset(ZoneOffset.UTC))
        .bind("lane", entity.lane().text())
        .bind("eventId", entity.eventId());
  }

  private static Entity entity(ResultSet row) throws SQLException {
    String body = row.getString("body");
    long ledgerSeq = row.getLong("ledger_seq");
    boolean unread = row.wasNull();
    return new Entity(
        new EntityKey(
            row.getString("source"), row.getString("entity_type"), row.getString("entity_id")),
        version(row),
        row.getBoolean("deleted"),
        body == null ? null : Json.parse(body.getBytes(StandardCharsets.UTF_8)),
        row.getString("body_hash"),
        row.getBoolean("altered"),
        unread ? null : ledgerSeq,
        row.getBoolean("unsettled"),
        Lane.of(row.getString("lane")),
        row.getString("event_id"),
        row.getObject("changed_at", OffsetDateTime.class).toInstant());
  }

  private static Version version(ResultSet row) throws SQLException {
    return new Version(row.getInt("epoch"), modified(row), row.getLong("read_number"));
  }

  private static @Nullable Instant modified(ResultSet row) throws SQLException {
    long second = row.getLong("modified_second");
    return row.wasNull() ? null : Instant.ofEpochSecond(second, row.getInt("modified_nano"));
  }
}
