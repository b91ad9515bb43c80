package io.hooktally.store.run;

import java.time.ZoneOffset;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * What is said to a run at work, and what it says of itself meanwhile, in the table of runs.
 * Thread-safe.
 */
public final class RunControl {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public RunControl(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Asks a run at work to end; its process looks for it once a second.
   *
   * @return whether it is at work
   */
  public boolean askToCancel(long id, String who) {
    return jdbi.withHandle(
            handle ->
                handle
                    .createUpdate(
                        """
                        update reconcile_run
                        set cancel_asked_at = coalesce(cancel_asked_at, clock_timestamp()),
                            cancel_asked_by = coalesce(cancel_asked_by, :who)
                        where id = :id and state = 'running'
                        """)
                    .bind("id", id)
                    .bind("who", who)
                    .execute())
        == 1;
  }

  /** Who asked the run to end, if anybody did. */
  public Optional<String> cancelAskedBy(long id) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select cancel_asked_by from reconcile_run
                    where id = :id and cancel_asked_by is not null
                    """)
                .bind("id", id)
                .mapTo(String.class)
                .findOne());
  }

  /** Notes how far a run is. */
  public void progress(Handle handle, long id, RunProgress progress) {
    RunPhase phase = progress.phase();
    handle
        .createUpdate(
            """
            update reconcile_run
            set phase_at = case when phase is distinct from :phase then clock_timestamp()
                                else phase_at end,
                phase = :phase, progress_at = clock_timestamp(), pages = :pages,
                reached = :reached, requests = :requests, bytes = :bytes, throttled_ms = :throttled
            where id = :id
            """)
        .bind("id", id)
        .bind("phase", phase == null ? null : phase.text())
        .bind("pages", progress.pages())
        .bind(
            "reached",
            progress.reached() == null ? null : progress.reached().atOffset(ZoneOffset.UTC))
        .bind("requests", progress.requests())
        .bind("bytes", progress.bytes())
        .bind("throttled", progress.throttled().toMillis())
        .execute();
  }
}
