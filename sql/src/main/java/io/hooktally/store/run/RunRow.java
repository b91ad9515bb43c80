package io.hooktally.store.run;

import static java.util.Objects.requireNonNull;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads rows of the table of runs. */
final class RunRow {
  static final String SELECT =
      """
      select id, source, entity_type, reason, mode, state, holder, scheduled_for, window_from,
             window_to, started_at, ended_at, listed, covered, ignored, error, stopped, resumed,
             trust_source, sliced_to, phase, pages, reached, requests, bytes, throttled_ms
      from reconcile_run
      """;

  private RunRow() {}

  static Run read(ResultSet row) throws SQLException {
    return new Run(
        row.getLong("id"),
        row.getString("source"),
        row.getString("entity_type"),
        RunReason.of(row.getString("reason")),
        RunMode.of(row.getString("mode")),
        RunState.of(row.getString("state")),
        row.getString("holder"),
        row.getObject("scheduled_for", LocalDate.class),
        instant(row, "window_from"),
        instant(row, "window_to"),
        requireNonNull(instant(row, "started_at")),
        instant(row, "ended_at"),
        row.getLong("listed"),
        texts(row, "covered"),
        texts(row, "ignored"),
        row.getString("error"),
        row.getBoolean("stopped"),
        row.getInt("resumed"),
        row.getBoolean("trust_source"),
        instant(row, "sliced_to"),
        progress(row));
  }

  private static RunProgress progress(ResultSet row) throws SQLException {
    String phase = row.getString("phase");
    return new RunProgress(
        phase == null ? null : RunPhase.of(phase),
        row.getLong("pages"),
        instant(row, "reached"),
        row.getLong("requests"),
        row.getLong("bytes"),
        Duration.ofMillis(row.getLong("throttled_ms")));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return List.of((String[]) array.getArray());
  }
}
