package io.hooktally.store.run;

import io.hooktally.store.Lease;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The table of runs. What takes a {@link Handle} writes, and belongs into {@link Fenced#write}.
 * Thread-safe.
 */
public final class Runs {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Runs(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Begins a run under its lease. Runs of the same that still seem at work have died, unless they
   * wait between two slices.
   */
  public long begin(Handle handle, Lease lease, NewRun run) {
    handle
        .createUpdate(
            """
            with dead as (
                update reconcile_run
                set state = 'superseded', ended_at = clock_timestamp(), reads_kept = true,
                    error = 'its process ended before the run did'
                where source = :source and entity_type = :type and state = 'running'
                  and (waits_until is null or waits_until <= clock_timestamp())
                returning id
            )
            delete from run_listed where run_id in (select id from dead)
            """)
        .bind("source", run.source())
        .bind("type", run.entityType())
        .execute();
    return handle
        .createQuery(
            """
            insert into reconcile_run (source, entity_type, reason, mode, holder, fence,
                scheduled_for, window_from, window_to, trust_source)
            values (:source, :type, :reason, :mode, :holder, :fence, :day, :from, :to, :trust)
            returning id
            """)
        .bind("source", run.source())
        .bind("type", run.entityType())
        .bind("reason", run.reason().text())
        .bind("mode", run.mode().text())
        .bind("holder", lease.holder())
        .bind("fence", lease.fence())
        .bind("day", run.scheduledFor())
        .bind("from", time(run.from()))
        .bind("to", time(run.to()))
        .bind("trust", run.trustSource())
        .mapTo(Long.class)
        .one();
  }

  /**
   * Takes up a run that did not complete, under its number and a new lease. It lists again from the
   * top, or goes on below its last slice; what is kept of its suspects is for {@link
   * Disagreements#resume} to say.
   *
   * @param scheduledFor the day it is for from now on; null: as it was
   */
  public void resume(Handle handle, Lease lease, long id, @Nullable LocalDate scheduledFor) {
    handle
        .createUpdate(
            """
            update reconcile_run
            set state = 'running', holder = :holder, fence = :fence, resumed = resumed + 1,
                scheduled_for = coalesce(:day, scheduled_for), ended_at = null, error = null,
                stopped = false, reads_kept = false, cancel_asked_at = null, cancel_asked_by = null,
                listed = sliced_listed, waits_until = null, pages = 0, reached = null, phase = null, phase_at = null,
                progress_at = null
            where id = :id
            """)
        .bind("id", id)
        .bind("holder", lease.holder())
        .bind("fence", lease.fence())
        .bind("day", scheduledFor)
        .execute();
    handle.createUpdate("delete from run_listed where run_id = :id").bind("id", id).execute();
  }

  /** The last run of these that was begun. */
  public Optional<Run> newest(Handle handle, String source, String entityType) {
    return handle
        .createQuery(
            RunRow.SELECT
                + "where source = :source and entity_type = :type order by id desc limit 1")
        .bind("source", source)
        .bind("type", entityType)
        .map((row, context) -> RunRow.read(row))
        .findOne();
  }

  /** Notes the window once it is known. */
  public void window(Handle handle, long id, Instant from, Instant to) {
    handle
        .createUpdate(
            "update reconcile_run set window_from = :from, window_to = :to where id = :id")
        .bind("id", id)
        .bind("from", from.atOffset(ZoneOffset.UTC))
        .bind("to", to.atOffset(ZoneOffset.UTC))
        .execute();
  }

  /** Counts listed entities, and remembers those that could else be taken for extra. */
  public void listed(Handle handle, long id, int rows, Collection<String> heldIds) {
    handle
        .createUpdate("update reconcile_run set listed = listed + :rows where id = :id")
        .bind("id", id)
        .bind("rows", rows)
        .execute();
    if (heldIds.isEmpty()) {
      return;
    }
    handle
        .createUpdate(
            """
            insert into run_listed (run_id, entity_id) select :id, unnest(:ids)
            on conflict do nothing
            """)
        .bind("id", id)
        .bindArray("ids", String.class, heldIds.toArray())
        .execute();
  }

  /** Which of the ids the run has seen listed. */
  public List<String> seen(long id, Collection<String> ids) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "select entity_id from run_listed where run_id = :id and entity_id = any(:ids)")
                .bind("id", id)
                .bindArray("ids", String.class, ids.toArray())
                .mapTo(String.class)
                .list());
  }

  /** Completes a run. Reads that earlier runs kept are let go. */
  public void complete(Handle handle, Run run) {
    handle
        .createUpdate(
            """
            update reconcile_run
            set state = 'done', error = null, ended_at = clock_timestamp() where id = :id
            """)
        .bind("id", run.id())
        .execute();
    handle.createUpdate("delete from run_listed where run_id = :id").bind("id", run.id()).execute();
    handle
        .createUpdate(
            """
            with old as (
                update reconcile_run set reads_kept = false
                where source = :source and entity_type = :type and reads_kept and id < :id
                returning id
            )
            update disagreement set read_body = null
            where run_id in (select id from old) and read_body is not null
            """)
        .bind("id", run.id())
        .bind("source", run.source())
        .bind("type", run.entityType())
        .execute();
  }

  /**
   * Ends a run that did not complete. The reads it has made are kept: it may be resumed.
   *
   * @param stopped whether it ended with its process, not by an error of its own
   */
  public void end(Handle handle, long id, RunState state, String error, boolean stopped) {
    handle
        .createUpdate(
            """
            update reconcile_run
            set state = :state, error = :error, stopped = :stopped, reads_kept = true,
                ended_at = clock_timestamp()
            where id = :id
            """)
        .bind("id", id)
        .bind("state", state.text())
        .bind("error", error)
        .bind("stopped", stopped)
        .execute();
    handle.createUpdate("delete from run_listed where run_id = :id").bind("id", id).execute();
  }

  /** Notes what the report vouches for. */
  public void covers(
      Handle handle, long id, Collection<String> covered, Collection<String> ignored) {
    handle
        .createUpdate(
            "update reconcile_run set covered = :covered, ignored = :ignored where id = :id")
        .bind("id", id)
        .bindArray("covered", String.class, covered.toArray())
        .bindArray("ignored", String.class, ignored.toArray())
        .execute();
  }

  /** A run by its number. */
  public Optional<Run> find(long id) {
    return jdbi.withHandle(handle -> find(handle, id));
  }

  /** The same inside the caller's transaction. */
  public Optional<Run> find(Handle handle, long id) {
    return handle
        .createQuery(RunRow.SELECT + "where id = :id")
        .bind("id", id)
        .map((row, context) -> RunRow.read(row))
        .findOne();
  }

  /** Runs, the newest first, with numbers below {@code before}. */
  public List<Run> list(long before, int limit) {
    return list(RunFilter.ALL, before, limit);
  }

  /** Some of the runs, the newest first, with numbers below {@code before}. */
  public List<Run> list(RunFilter filter, long before, int limit) {
    RunReason reason = filter.reason();
    RunState state = filter.state();
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    RunRow.SELECT
                        + """
                        where id < :before
                          and source = coalesce(:source, source)
                          and entity_type = coalesce(:type, entity_type)
                          and reason = coalesce(:reason, reason)
                          and state = coalesce(:state, state)
                        order by id desc limit :limit
                        """)
                .bind("before", before)
                .bind("source", filter.source())
                .bind("type", filter.entityType())
                .bind("reason", reason == null ? null : reason.text())
                .bind("state", state == null ? null : state.text())
                .bind("limit", limit)
                .map((row, context) -> RunRow.read(row))
                .list());
  }

  /**
   * Whether a run of that reason for one of these days has ended, well or not; one that ended with
   * its process has not.
   *
   * @param onlyDone whether only one that completed counts
   */
  public boolean hasEnded(
      String source,
      String entityType,
      RunReason reason,
      LocalDate first,
      LocalDate last,
      boolean onlyDone) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select exists (select from reconcile_run
                        where source = :source and entity_type = :type and reason = :reason
                          and scheduled_for between :first and :last
                          and (state = 'done'
                              or (state in ('failed', 'cancelled') and not stopped and not :onlyDone)))
                    """)
                .bind("source", source)
                .bind("type", entityType)
                .bind("reason", reason.text())
                .bind("first", first)
                .bind("last", last)
                .bind("onlyDone", onlyDone)
                .mapTo(Boolean.class)
                .one());
  }

  private static @Nullable OffsetDateTime time(@Nullable Instant instant) {
    return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
  }
}
