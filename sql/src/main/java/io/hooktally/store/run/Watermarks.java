package io.hooktally.store.run;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Up to where completed runs vouch for the replica, and since when runs are scheduled. Thread-safe.
 */
public final class Watermarks {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Watermarks(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The watermark, in the source's time. */
  public Optional<Instant> find(String source, String entityType) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    "select at from watermark where source = :source and entity_type = :type")
                .bind("source", source)
                .bind("type", entityType)
                .mapTo(OffsetDateTime.class)
                .findOne()
                .map(OffsetDateTime::toInstant));
  }

  /**
   * Moves the watermark; never back, and never over what a person set since the run began: their
   * span has not been looked at.
   *
   * @param onlyFirst sets it only where there is none yet
   */
  public void move(Handle handle, Run run, Instant to, boolean onlyFirst) {
    handle
        .createUpdate(
            """
            insert into watermark as mark (source, entity_type, at, run_id)
            values (:source, :type, :at, :run)
            on conflict (source, entity_type) do update
              set at = excluded.at, run_id = excluded.run_id, moved_at = clock_timestamp()
              where mark.at < excluded.at and not :onlyFirst
                -- what a person has set since the run began stands
                and not (mark.run_id is null
                    and mark.moved_at > (select started_at from reconcile_run where id = :run))
            """)
        .bind("source", run.source())
        .bind("type", run.entityType())
        .bind("at", to.atOffset(ZoneOffset.UTC))
        .bind("run", run.id())
        .bind("onlyFirst", onlyFirst)
        .execute();
  }

  /**
   * A person sets the watermark, forward or back; who, when and from what is kept.
   *
   * @return what it was
   */
  public Optional<Instant> set(String source, String entityType, Instant at, String who) {
    return jdbi.inTransaction(
        handle -> {
          Optional<OffsetDateTime> was =
              handle
                  .createQuery(
                      """
                      select at from watermark where source = :source and entity_type = :type
                      for update
                      """)
                  .bind("source", source)
                  .bind("type", entityType)
                  .mapTo(OffsetDateTime.class)
                  .findOne();
          handle
              .createUpdate(
                  """
                  insert into watermark (source, entity_type, at) values (:source, :type, :at)
                  on conflict (source, entity_type) do update
                    set at = excluded.at, run_id = null, moved_at = clock_timestamp()
                  """)
              .bind("source", source)
              .bind("type", entityType)
              .bind("at", at.atOffset(ZoneOffset.UTC))
              .execute();
          handle
              .createUpdate(
                  """
                  insert into watermark_change (source, entity_type, changed_by, was, now)
                  values (:source, :type, :who, :was, :at)
                  """)
              .bind("source", source)
              .bind("type", entityType)
              .bind("who", who)
              .bind("was", was.orElse(null))
              .bind("at", at.atOffset(ZoneOffset.UTC))
              .execute();
          return was.map(OffsetDateTime::toInstant);
        });
  }

  /** Since when runs are scheduled; from now on where they were not yet. */
  public Instant scheduledSince(String source, String entityType, Instant now) {
    return jdbi.inTransaction(
        handle ->
            handle
                .createQuery(
                    """
                    insert into schedule as known (source, entity_type, since)
                    values (:source, :type, :now)
                    on conflict (source, entity_type) do update set since = known.since
                    returning since
                    """)
                .bind("source", source)
                .bind("type", entityType)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant());
  }
}
