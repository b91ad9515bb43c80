package io.hooktally.store.run;

import static java.util.Objects.requireNonNull;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Runs in the order of time. Only reads. Thread-safe. */
public final class RunHistory {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public RunHistory(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The newest run's number, of a source and an entity type where they are given. */
  public Optional<Long> latest(@Nullable String source, @Nullable String entityType) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select id from reconcile_run
                    where (cast(:source as text) is null or source = :source)
                      and (cast(:type as text) is null or entity_type = :type)
                    order by id desc limit 1
                    """)
                .bind("source", source)
                .bind("type", entityType)
                .mapTo(Long.class)
                .findOne());
  }

  /** The last runs of the same source and entity type up to this one, the oldest first. */
  public List<PastRun> upTo(Run run, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    with past as (
                        select id, state, started_at from reconcile_run
                        where source = :source and entity_type = :type and id <= :run
                        order by id desc limit :limit
                    )
                    select past.id, past.state, past.started_at,
                           count(d.run_id) as found,
                           count(d.run_id) filter (where d.state = 'fixed' and not d.residual) as fixed
                    from past
                    left join disagreement d on d.run_id = past.id and not d.earlier
                        and not d.loaded and not d.unannounced
                        and d.state not in ('suspect', 'dissolved', 'moved_on')
                    group by past.id, past.state, past.started_at
                    order by past.id
                    """)
                .bind("source", run.source())
                .bind("type", run.entityType())
                .bind("run", run.id())
                .bind("limit", limit)
                .map(
                    (row, context) ->
                        new PastRun(
                            row.getLong("id"),
                            RunState.of(row.getString("state")),
                            requireNonNull(row.getObject("started_at", OffsetDateTime.class))
                                .toInstant(),
                            row.getLong("found"),
                            row.getLong("fixed")))
                .list());
  }
}
