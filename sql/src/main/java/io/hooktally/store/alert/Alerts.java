package io.hooktally.store.alert;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The outbox: alerts are written with what they are about, and sent until they arrive. Thread-safe.
 */
public final class Alerts {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Alerts(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Writes an alert in the caller's transaction. */
  public void add(
      Handle handle,
      AlertKind kind,
      String source,
      String entityType,
      @Nullable Long runId,
      String text) {
    handle
        .createUpdate(
            """
            insert into alert (kind, source, entity_type, run_id, text)
            values (:kind, :source, :type, :run, :text)
            """)
        .bind("kind", kind.text())
        .bind("source", source)
        .bind("type", entityType)
        .bind("run", runId)
        .bind("text", text)
        .execute();
  }

  /** Writes an alert in the caller's transaction, unless one of its kind was within {@code gap}. */
  public static void addUnlessRecent(
      Handle handle, AlertKind kind, String source, Duration gap, String text) {
    handle
        .createUpdate(
            """
            insert into alert (kind, source, entity_type, text)
            select :kind, :source, '', :text
            where not exists (
                select from alert
                where kind = :kind and source = :source
                  and created_at > clock_timestamp() - :gap)
            """)
        .bind("kind", kind.text())
        .bind("source", source)
        .bind("text", text)
        .bind("gap", gap)
        .execute();
  }

  /**
   * Takes alerts that are due, oldest first, for this sender alone: they are due again after {@code
   * length}, should it die.
   *
   * @param now the service's clock
   */
  public List<Alert> claim(Instant now, Duration length, int limit) {
    return jdbi.inTransaction(
        handle ->
            handle
                .createQuery(
                    """
                    with due as (
                        select id from alert
                        where state = 'pending' and coalesce(next_attempt_at <= :now, true)
                        order by id limit :limit for update skip locked
                    ), taken as (
                        update alert set attempts = attempts + 1, next_attempt_at = :until
                        where id in (select id from due)
                        returning id, kind, source, entity_type, run_id, text, attempts
                    )
                    select * from taken order by id
                    """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("until", now.plus(length).atOffset(ZoneOffset.UTC))
                .bind("limit", limit)
                .map(
                    (row, context) ->
                        new Alert(
                            row.getLong("id"),
                            AlertKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                            row.getString("source"),
                            row.getString("entity_type"),
                            row.getObject("run_id", Long.class),
                            row.getString("text"),
                            row.getInt("attempts")))
                .list());
  }

  /** It arrived. */
  public void sent(long id) {
    jdbi.useHandle(
        handle ->
            handle
                .createUpdate(
                    "update alert set state = 'sent', sent_at = clock_timestamp(), last_error = null where id = :id")
                .bind("id", id)
                .execute());
  }

  /** It did not arrive: it is due again at {@code next}. */
  public void failed(long id, String error, Instant next) {
    jdbi.useHandle(
        handle ->
            handle
                .createUpdate(
                    "update alert set next_attempt_at = :next, last_error = :error where id = :id and state = 'pending'")
                .bind("id", id)
                .bind("next", next.atOffset(ZoneOffset.UTC))
                .bind("error", error)
                .execute());
  }

  /** How many have not arrived. */
  public long pending() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery("select count(*) from alert where state = 'pending'")
                .mapTo(Long.class)
                .one());
  }
}
