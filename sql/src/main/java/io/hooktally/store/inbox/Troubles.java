package io.hooktally.store.inbox;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The trouble table. Thread-safe. */
public final class Troubles {
  /** The outcome of a span in which no instance was there. */
  public static final String AWAY = "away";

  // What comes within this time after the end of a span belongs to it.
  private static final Duration JOINED = Duration.ofMinutes(5);
  private static final Duration KEPT = Duration.ofDays(400);

  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Troubles(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Deliveries that ended so within a stretch of time up to now.
   *
   * @param deliveries how many
   */
  public record Noted(String source, String outcome, long deliveries) {}

  /**
   * Adds what an instance has counted, each to its span of the last minutes or as a new one. Spans
   * of more than 400 days ago are dropped.
   *
   * @param age how long ago the counting began
   */
  public void add(String instance, Collection<Noted> noted, Duration age) {
    // An interval of the database takes no nanoseconds.
    Duration since = age.truncatedTo(ChronoUnit.MILLIS);
    jdbi.useTransaction(
        handle -> {
          for (Noted one : noted) {
            if (!extend(handle, instance, one, since)) {
              insert(handle, instance, one, since);
            }
          }
          handle
              .createUpdate("delete from trouble where ended_at < clock_timestamp() - :kept")
              .bind("kept", KEPT)
              .execute();
        });
  }

  private static boolean extend(Handle handle, String instance, Noted one, Duration age) {
    return handle
            .createUpdate(
                """
                update trouble
                set ended_at = clock_timestamp(), deliveries = deliveries + :deliveries
                where id = (
                    select id from trouble
                    where source = :source and outcome = :outcome and instance = :instance
                      and ended_at >= clock_timestamp() - :age - :joined
                    order by ended_at desc limit 1)
                """)
            .bind("deliveries", one.deliveries())
            .bind("source", one.source())
            .bind("outcome", one.outcome())
            .bind("instance", instance)
            .bind("age", age)
            .bind("joined", JOINED)
            .execute()
        > 0;
  }

  private static void insert(Handle handle, String instance, Noted one, Duration age) {
    handle
        .createUpdate(
            """
            insert into trouble (source, outcome, instance, began_at, ended_at, deliveries)
            select :source, :outcome, :instance, now - :age, now, :deliveries
            from (select clock_timestamp() as now) as moment
            """)
        .bind("source", one.source())
        .bind("outcome", one.outcome())
        .bind("instance", instance)
        .bind("age", age)
        .bind("deliveries", one.deliveries())
        .execute();
  }

  /**
   * What touched a span of the database's time, the latest first; those of all sources too.
   *
   * @param limit how many at most
   */
  public List<Trouble> list(String source, Instant from, Instant to, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select source, outcome, began_at, ended_at, deliveries
                    from trouble
                    where source in (:source, '') and ended_at >= :from and began_at < :to
                    order by ended_at desc, id desc
                    limit :limit
                    """)
                .bind("source", source)
                .bind("from", from.atOffset(ZoneOffset.UTC))
                .bind("to", to.atOffset(ZoneOffset.UTC))
                .bind("limit", limit)
                .map(
                    (row, context) ->
                        new Trouble(
                            requireNonNull(row.getString("source")),
                            requireNonNull(row.getString("outcome")),
                            Sql.instant(row, "began_at"),
                            Sql.instant(row, "ended_at"),
                            row.getLong("deliveries")))
                .list());
  }
}
