package io.hooktally.store.run;

import static java.util.Objects.requireNonNull;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** The disagreements of runs as reports show them. Only reads. Thread-safe. */
public final class Findings {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Findings(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * A run's disagreements in the order of ids, some at a time: confirmed ones, also of earlier runs
   * and unannounced ones; not what was loaded, dissolved or moved on.
   *
   * @param after the last id of the call before; blank at first
   */
  public List<Finding> list(long runId, String after, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select entity_id, kind, state, earlier, unannounced, residual, ours_modified,
                           read_modified, differences::text as differences, lost, lost_note, note
                    from disagreement
                    where run_id = :run and entity_id > :after and not loaded
                      and state not in ('suspect', 'dissolved', 'moved_on')
                    order by entity_id limit :limit
                    """)
                .bind("run", runId)
                .bind("after", after)
                .bind("limit", limit)
                .map((row, context) -> finding(row))
                .list());
  }

  private static Finding finding(ResultSet row) throws SQLException {
    String kind = row.getString("kind");
    String lost = row.getString("lost");
    return new Finding(
        row.getString("entity_id"),
        kind == null ? null : Kind.of(kind),
        SuspectState.of(row.getString("state")),
        row.getBoolean("earlier"),
        row.getBoolean("unannounced"),
        row.getBoolean("residual"),
        DisagreementRow.instant(row, "ours_modified"),
        DisagreementRow.instant(row, "read_modified"),
        DisagreementRow.differences(requireNonNull(row.getString("differences"))),
        lost == null
            ? null
            : new Loss(LossCause.of(lost), requireNonNull(row.getString("lost_note"))),
        row.getString("note"));
  }
}
