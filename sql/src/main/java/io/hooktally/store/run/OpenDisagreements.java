package io.hooktally.store.run;

import io.hooktally.store.replica.EntityKey;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Disagreements beyond one run: what stays open from run to run. What takes a {@link Handle}
 * writes, and belongs into {@link Fenced#write}. Thread-safe.
 */
public final class OpenDisagreements {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public OpenDisagreements(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Closes the run's books: what was not ended by a fix is open from now on, what earlier runs left
   * open and this one checked is not any more (but where it moved on: that says nothing), and the
   * reads kept are let go. What a run that only reports would have loaded was never to be there.
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
                  and now.state <> 'moved_on'
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
                        and state in ('held_back', 'left', 'failed')
                        and not (loaded and state = 'left'))
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

  /**
   * Brings to the run's confirmed ones what people have said of them in earlier runs: those
   * approved are fixed past the guards; those accepted, and the same still, are left as they are.
   */
  public void heed(Handle handle, Run run) {
    handle
        .createUpdate(
            """
            update disagreement now
            set approved_at = old.approved_at, approved_by = old.approved_by
            from disagreement old
            where old.source = :source and old.entity_type = :type and old.open
              and old.run_id <> :run and old.approved_at is not null
              and now.run_id = :run and now.entity_id = old.entity_id and now.kind = old.kind
            """)
        .bind("run", run.id())
        .bind("source", run.source())
        .bind("type", run.entityType())
        .execute();
    handle
        .createUpdate(
            """
            update disagreement now
            set state = 'left', accepted_at = old.accepted_at, accepted_by = old.accepted_by,
                accepted_reason = old.accepted_reason,
                note = 'accepted by ' || old.accepted_by || ': ' || old.accepted_reason
            from (
                select distinct on (entity_id) * from disagreement
                where source = :source and entity_type = :type and accepted_at is not null
                  and run_id <> :run
                order by entity_id, run_id desc
            ) as old
            where now.run_id = :run and now.state = 'confirmed' and not now.loaded
              and not now.unannounced
              and now.entity_id = old.entity_id and now.kind = old.kind
              and now.read_modified is not distinct from old.read_modified
              and now.differences = old.differences
            """)
        .bind("run", run.id())
        .bind("source", run.source())
        .bind("type", run.entityType())
        .execute();
  }

  /**
   * A person takes the entity as it is: it is not checked again, and not told of or fixed while it
   * stays the same.
   *
   * @return whether it was open
   */
  public boolean accept(EntityKey key, String who, String reason) {
    return jdbi.withHandle(
            handle ->
                handle
                    .createUpdate(
                        """
                        update disagreement
                        set open = false, accepted_at = clock_timestamp(), accepted_by = :who,
                            accepted_reason = :reason
                        where source = :source and entity_type = :type and entity_id = :id and open
                        """)
                    .bind("source", key.source())
                    .bind("type", key.entityType())
                    .bind("id", key.entityId())
                    .bind("who", who)
                    .bind("reason", reason)
                    .execute())
        > 0;
  }

  /**
   * A person lets what the run held back, or only reported, be fixed: by the next run in fix mode,
   * past the guards. A later run may have looked at it again meanwhile.
   *
   * @param entityId one of them; null: all
   * @return how many
   */
  public int approve(long runId, @Nullable String entityId, String who) {
    return jdbi.withHandle(
        handle ->
            handle
                .createUpdate(
                    """
                    update disagreement as latest
                    set approved_at = clock_timestamp(), approved_by = :who
                    from disagreement as named
                    where named.run_id = :run and named.entity_id = coalesce(:id, named.entity_id)
                      and named.state in ('held_back', 'left')
                      and latest.source = named.source and latest.entity_type = named.entity_type
                      and latest.entity_id = named.entity_id and latest.kind <> 'ahead'
                      and latest.open and latest.state in ('held_back', 'left')
                    """)
                .bind("run", runId)
                .bind("id", entityId)
                .bind("who", who)
                .execute());
  }

  /** What is open, by entity id, some at a time. */
  public List<OpenDisagreement> list(String source, String entityType, String afterId, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select distinct on (entity_id) entity_id, run_id, kind, state, note, approved_by
                    from disagreement
                    where source = :source and entity_type = :type and open and entity_id > :after
                    order by entity_id, run_id desc limit :limit
                    """)
                .bind("source", source)
                .bind("type", entityType)
                .bind("after", afterId)
                .bind("limit", limit)
                .map(
                    (row, context) ->
                        new OpenDisagreement(
                            row.getString("entity_id"),
                            row.getLong("run_id"),
                            row.getString("kind") == null ? null : Kind.of(row.getString("kind")),
                            SuspectState.of(row.getString("state")),
                            row.getString("note"),
                            row.getString("approved_by")))
                .list());
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
