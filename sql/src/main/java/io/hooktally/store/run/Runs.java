package io.hooktally.store.run;

import static java.util.Objects.requireNonNull;

import io.hooktally.store.Lease;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
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
  private static final String SELECT =
      """
      select id, source, entity_type, reason, mode, state, holder, scheduled_for, window_from,
             window_to, started_at, ended_at, listed, covered, ignored, error
      from reconcile_run
      """;

  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Runs(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Begins a run under its lease. Runs of the same that still seem at work have died. */
  public long begin(Handle handle, Lease lease, NewRun run) {
    handle
        .createUpdate(
            """
            with dead as (
                update reconcile_run
                set state = 'superseded', ended_at = clock_timestamp(),
                    error = 'its process ended before the run did'
                where source = :source and entity_type = :type and state = 'running'
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
            insert into reconcile_run (source, entity_type, reason, mode, holder, fence, scheduled_for)
            values (:source, :type, :reason, :mode, :holder, :fence, :day)
            returning id
            """)
        .bind("source", run.source())
        .bind("type", run.entityType())
        .bind("reason", run.reason().text())
        .bind("mode", run.mode().text())
        .bind("holder", lease.holder())
        .bind("fence", lease.fence())
        .bind("day", run.scheduledFor())
        .mapTo(Long.class)
        .one();
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

  /** Ends a run. */
  public void end(Handle handle, long id, RunState state, @Nullable String error) {
    handle
        .createUpdate(
            """
            update reconcile_run set state = :state, error = :error, ended_at = clock_timestamp()
            where id = :id
            """)
        .bind("id", id)
        .bind("state", state.text())
        .bind("error", error)
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
        .createQuery(SELECT + "where id = :id")
        .bind("id", id)
        .map((row, context) -> run(row))
        .findOne();
  }

  /** Runs, the newest first, with numbers below {@code before}. */
  public List<Run> list(long before, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(SELECT + "where id < :before order by id desc limit :limit")
                .bind("before", before)
                .bind("limit", limit)
                .map((row, context) -> run(row))
                .list());
  }

  /** Whether the scheduled run of that day has ended, well or not. */
  public boolean hasScheduled(String source, String entityType, LocalDate day) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select exists (select from reconcile_run
                        where source = :source and entity_type = :type and scheduled_for = :day
                          and state in ('done', 'failed'))
                    """)
                .bind("source", source)
                .bind("type", entityType)
                .bind("day", day)
                .mapTo(Boolean.class)
                .one());
  }

  private static Run run(ResultSet row) throws SQLException {
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
        row.getString("error"));
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
