package io.hooktally.store.run;

import io.hooktally.store.Lease;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * How far a run in slices is, and that it lives while it waits between two of them, in the tables
 * of runs and of their suspects. What takes a {@link Handle} writes, and belongs into {@link
 * Fenced#write}. Thread-safe.
 */
public final class RunSlices {
  /**
   * What the slices that are done amount to.
   *
   * @param listed entities the source listed
   * @param held rows the replica had
   * @param loads whether what was read counted as loaded
   */
  public record Done(long listed, long held, boolean loads) {}

  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public RunSlices(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** What the run has done before it was taken up again. */
  public Done find(long id) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select sliced_listed, sliced_held, sliced_loads from reconcile_run
                    where id = :id
                    """)
                .bind("id", id)
                .map(
                    (row, context) ->
                        new Done(
                            row.getLong("sliced_listed"),
                            row.getLong("sliced_held"),
                            row.getBoolean("sliced_loads")))
                .one());
  }

  /**
   * A slice is done: the run goes on below it, also when it is taken up again.
   *
   * @param from the slice's first instant
   */
  public void done(Handle handle, long id, Instant from, Done soFar) {
    handle
        .createUpdate(
            """
            update reconcile_run
            set sliced_to = :from, sliced_listed = :listed, sliced_held = :held,
                sliced_loads = :loads
            where id = :id
            """)
        .bind("id", id)
        .bind("from", from.atOffset(ZoneOffset.UTC))
        .bind("listed", soFar.listed())
        .bind("held", soFar.held())
        .bind("loads", soFar.loads())
        .execute();
    handle
        .createUpdate("update disagreement set sliced = true where run_id = :id and not sliced")
        .bind("id", id)
        .execute();
  }

  /** What the run has fixed in the slice it is at, by id, some at a time. */
  public List<Disagreement> fixed(long runId, String afterId, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    DisagreementRow.SELECT
                        + """
                        where run_id = :run and state = 'fixed' and not sliced
                          and entity_id > :after
                        order by entity_id limit :limit
                        """)
                .bind("run", runId)
                .bind("after", afterId)
                .bind("limit", limit)
                .map((row, context) -> DisagreementRow.read(row))
                .list());
  }

  /**
   * The run waits without its lease, and will say so again before so long is over.
   *
   * @param lease the lease it had last
   * @return false when it was ended or taken up by somebody else
   */
  public boolean waits(long id, Lease lease, Duration length) {
    return jdbi.withHandle(
        handle ->
            handle
                    .createUpdate(
                        """
                        update reconcile_run
                        set waits_until = clock_timestamp() + :millis * interval '1 ms'
                        where id = :id and state = 'running' and fence = :fence
                        """)
                    .bind("id", id)
                    .bind("fence", lease.fence())
                    .bind("millis", length.toMillis())
                    .execute()
                == 1);
  }

  /** Whether the run lives, and waits without its lease. */
  public boolean isWaiting(Handle handle, long id) {
    return handle
        .createQuery(
            """
            select exists (select from reconcile_run
                where id = :id and state = 'running' and waits_until > clock_timestamp())
            """)
        .bind("id", id)
        .mapTo(Boolean.class)
        .one();
  }

  /**
   * The run goes on under a new lease.
   *
   * @return false when it was ended or taken up by somebody else
   */
  public boolean goOn(Handle handle, long id, Lease before, Lease now) {
    return handle
            .createUpdate(
                """
                update reconcile_run
                set holder = :holder, fence = :now, waits_until = null
                where id = :id and state = 'running' and fence = :before
                """)
            .bind("id", id)
            .bind("holder", now.holder())
            .bind("before", before.fence())
            .bind("now", now.fence())
            .execute()
        == 1;
  }
}
