package io.hooktally.store.run;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Disagreements beyond one run: what stays open from run to run. What takes a {@link Handle} writes,
 * and belongs into {@link Fenced#write}. Thread-safe.
 */
public final class OpenDisagreements {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public OpenDisagreements(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Closes the run's books: what was not ended by a fix is open from now on, what earlier runs left
   * open and this one checked is not any more, and the reads kept are let go.
   */
  public RunNews close(Handle handle, Run run) {
    long before = open(handle, run.source(), run.entityType());
    handle
        .createUpdate(
            """
            with met as (
                update disagreement old set open = false
                from disagreement now
                where old.source = :source and old.entity_type = :type and old.open
                  and old.run_id <> :run and now.run_id = :run and now.entity_id = old.entity_id
                returning old.entity_id
            )
            update disagreement set known = true
            where run_id = :run and entity_id in (select entity_id from met)
            """)
        .bind("run", run.id())
        .bind("source", run.source())
        .bind("type", run.entityType())
        .execute();
    handle
        .createUpdate(
            """
            update disagreement
            set read_body = null,
                open = residual and accepted_at is null
                    or (not unannounced and accepted_at is null
                        and state in ('held_back', 'left', 'failed'))
            where run_id = :run
              and (read_body is not null or residual or state in ('held_back', 'left', 'failed'))
            """)
        .bind("run", run.id())
        .execute();
    return news(handle, run, before);
  }

  private static RunNews news(Handle handle, Run run, long before) {
    long open = open(handle, run.source(), run.entityType());
    return handle
        .createQuery(DisagreementRow.NEWS)
        .bind("run", run.id())
        .map(
            (row, context) ->
                new RunNews(
                    row.getLong("found"),
                    row.getLong("held_back"),
                    row.getLong("left_alone"),
                    row.getLong("failed"),
                    row.getLong("residual"),
                    before,
                    open))
        .one();
  }

  /** How many entities are open: they differ, and are checked again in every run. */
  public long open(String source, String entityType) {
    return jdbi.withHandle(handle -> open(handle, source, entityType));
  }

  private static long open(Handle handle, String source, String entityType) {
    return handle
        .createQuery(
            """
            select count(distinct entity_id) from disagreement
            where source = :source and entity_type = :type and open
            """)
        .bind("source", source)
        .bind("type", entityType)
        .mapTo(Long.class)
        .one();
  }
}
