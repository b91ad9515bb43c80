package io.hooktally.store.dispatch;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.store.Json;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The audit table: only ever added to. */
final class AuditRows {
  private AuditRows() {}

  static void add(Handle handle, String who, String action, String subject, ObjectNode detail) {
    handle
        .createUpdate(
            """
            insert into audit (who, action, subject, detail)
            values (:who, :action, :subject, cast(:detail as jsonb))
            """)
        .bind("who", who)
        .bind("action", action)
        .bind("subject", subject)
        .bind("detail", detail.toString())
        .execute();
  }

  static List<AuditEntry> list(Handle handle, long before, int limit) {
    return handle
        .createQuery(
            """
            select id, at, who, action, subject, cast(detail as text) as detail from audit
            where id < :before
            order by id desc
            limit :limit
            """)
        .bind("before", before)
        .bind("limit", limit)
        .map(
            (row, context) ->
                new AuditEntry(
                    row.getLong("id"),
                    requireNonNull(row.getObject("at", OffsetDateTime.class)).toInstant(),
                    requireNonNull(row.getString("who")),
                    requireNonNull(row.getString("action")),
                    requireNonNull(row.getString("subject")),
                    Json.parse(
                        requireNonNull(row.getString("detail")).getBytes(StandardCharsets.UTF_8))))
        .list();
  }
}
