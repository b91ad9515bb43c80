package io.hooktally.store.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.hooktally.store.Json;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.replica.ReadTicket;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads rows of the disagreement table. */
final class DisagreementRow {
  static final String SELECT =
      """
      select run_id, source, entity_type, entity_id, suspected, kind, state, loaded, earlier,
             residual, listed_modified, ours_modified, read_modified, read_number, read_epoch,
             read_known, known_modified, read_body, differences::text as differences, note
      from disagreement
      """;

  static final String COUNTS =
      """
      with mine as (
          select *, state not in ('dissolved', 'moved_on') and not loaded and not unannounced as found
          from disagreement where run_id = :run
      )
      select count(*) filter (where not earlier) as suspects,
             count(*) filter (where not earlier and found) as found,
             count(*) filter (where not earlier and loaded) as loaded,
             count(*) filter (where not earlier and unannounced
                              and state not in ('dissolved', 'moved_on')) as unannounced,
             count(*) filter (where not earlier and state = 'dissolved') as dissolved,
             count(*) filter (where not earlier and state = 'moved_on') as moved_on,
             count(*) filter (where not earlier and found and state = 'fixed') as fixed,
             count(*) filter (where not earlier and found and state = 'held_back') as held_back,
             count(*) filter (where not earlier and found and state = 'left') as left_alone,
             count(*) filter (where not earlier and found and state = 'failed') as failed,
             count(*) filter (where not earlier and state in ('suspect', 'confirmed')) as undecided,
             count(*) filter (where residual) as residual,
             count(*) filter (where earlier) as earlier_checked,
             count(*) filter (where earlier and (unannounced
                              or state in ('fixed', 'dissolved', 'moved_on'))) as earlier_ended
      from mine
      """;

  static final String NEWS =
      """
      with fresh as (
          select * from disagreement
          where run_id = :run and not earlier and not known and not loaded and not unannounced
            and accepted_at is null
            and state not in ('dissolved', 'moved_on')
      )
      select count(*) as found,
             count(*) filter (where state = 'held_back') as held_back,
             count(*) filter (where state = 'left') as left_alone,
             count(*) filter (where state = 'failed') as failed,
             count(*) filter (where residual) as residual
      from fresh
      """;

  private DisagreementRow() {}

  static RunCounts counts(ResultSet row, Map<Kind, Long> byKind) throws SQLException {
    return new RunCounts(
        row.getLong("suspects"),
        row.getLong("found"),
        row.getLong("loaded"),
        row.getLong("unannounced"),
        row.getLong("dissolved"),
        row.getLong("moved_on"),
        row.getLong("fixed"),
        row.getLong("held_back"),
        row.getLong("left_alone"),
        row.getLong("failed"),
        row.getLong("undecided"),
        row.getLong("residual"),
        Map.copyOf(byKind),
        row.getLong("earlier_checked"),
        row.getLong("earlier_ended"));
  }

  static Disagreement read(ResultSet row) throws SQLException {
    String kind = row.getString("kind");
    return new Disagreement(
        row.getLong("run_id"),
        row.getString("entity_id"),
        Kind.of(row.getString("suspected")),
        kind == null ? null : Kind.of(kind),
        SuspectState.of(row.getString("state")),
        row.getBoolean("loaded"),
        row.getBoolean("earlier"),
        row.getBoolean("residual"),
        instant(row, "listed_modified"),
        instant(row, "ours_modified"),
        reading(row),
        differences(row.getString("differences")),
        row.getString("note"));
  }

  private static @Nullable Reading reading(ResultSet row) throws SQLException {
    long number = row.getLong("read_number");
    if (row.wasNull()) {
      return null;
    }
    EntityKey key =
        new EntityKey(
            row.getString("source"), row.getString("entity_type"), row.getString("entity_id"));
    ReadTicket ticket =
        new ReadTicket(
            key,
            number,
            row.getInt("read_epoch"),
            row.getBoolean("read_known"),
            instant(row, "known_modified"));
    byte[] body = row.getBytes("read_body");
    return new Reading(
        ticket,
        instant(row, "read_modified"),
        body == null ? null : new String(body, StandardCharsets.UTF_8));
  }

  static String json(List<Difference> differences) {
    ArrayNode array = Json.mapper().createArrayNode();
    for (Difference difference : differences) {
      array
          .addObject()
          .put("pointer", difference.pointer())
          .put("ours", difference.ours())
          .put("theirs", difference.theirs());
    }
    return array.toString();
  }

  static List<Difference> differences(String json) {
    List<Difference> differences = new ArrayList<>();
    for (JsonNode node : Json.parse(json.getBytes(StandardCharsets.UTF_8))) {
      differences.add(
          new Difference(
              node.get("pointer").asText(),
              node.get("ours").asText(),
              node.get("theirs").asText()));
    }
    return differences;
  }

  static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    String text = row.getString(column);
    return text == null ? null : Instant.parse(text);
  }

  /** The found ones of a run, by kind. */
  static Map<Kind, Long> byKind(Handle handle, long runId) {
    Map<Kind, Long> byKind = new EnumMap<>(Kind.class);
    handle
        .createQuery(
            """
            select kind, count(*) as rows from disagreement
            where run_id = :run and kind is not null and not loaded and not unannounced
              and not earlier
              and state not in ('suspect', 'dissolved', 'moved_on')
            group by kind
            """)
        .bind("run", runId)
        .map((row, context) -> Map.entry(Kind.of(row.getString("kind")), row.getLong("rows")))
        .forEach(entry -> byKind.put(entry.getKey(), entry.getValue()));
    return byKind;
  }
}
