package io.hooktally.store.dispatch;

import static java.util.Objects.requireNonNull;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** The statements that look up stored events and put them into dispatch again. */
final class ReplayRows {
  // Bodies that are in memory at once, each as large as a delivery may be.
  private static final int FETCHED = 16;

  private static final String SPAN =
      """
      e.source = :source and e.first_received_at >= :from and e.first_received_at < :to
      """;

  private static final String PAYLOAD =
      """
      event_payload p where p.event_seq = e.seq and p.received_at = e.first_received_at
        and p.received_at >= :from and p.received_at < :to
      """;

  // An event that a run wrote, known by the blanks in its id, tells others what the replica has.
  private static final String TAKES =
      """
      c.source = e.source and (cast(:consumer as text) is null or c.name = :consumer)
        and (c.topic_pattern is null or e.topic is null or e.topic ~ c.topic_pattern)
        and (c.name <> 'replica' or strpos(e.event_id, ' ') = 0)
      """;

  private static final String ADD =
      """
      , added as (
          insert into dispatch (consumer, source, event_id, replay_id, lane, received_at)
          select c.name, e.source, e.event_id, :replay, 'replay', e.first_received_at
          from meant e
          join consumer c on
      """
          + TAKES
          + """
          order by e.seq
          returning consumer, source, event_id
      )
      select consumer, source, count(*) as rows,
             (select count(distinct event_id) from added) as events
      from added
      group by consumer, source
      """;

  /**
   * An event that may be meant.
   *
   * @param eventId its id
   */
  // Read from the database and handed out; never compared as a value.
  @SuppressWarnings("ArrayRecordComponent")
  record Candidate(String eventId, @Nullable String topic, byte[] body) {}

  private ReplayRows() {}

  static long number(Handle handle) {
    return handle.createQuery("select nextval('replay_number')").mapTo(Long.class).one();
  }

  /** Adds all events of the span that are there, and their rows to {@code rows}. */
  static long addAll(Handle handle, long id, ReplaySpan span, Map<ConsumerRef, Long> rows) {
    return added(
        bind(
                handle.createQuery(
                    "with meant as (select e.* from processed_event e where "
                        + SPAN
                        + """
                            and (cast(:pattern as text) is null or e.topic ~ :pattern)
                            and exists (select from
                          """
                        + PAYLOAD
                        + "))"
                        + ADD),
                span)
            .bind("pattern", span.topicPattern())
            .bind("consumer", span.consumer())
            .bind("replay", id),
        rows);
  }

  /** Adds these events of the span. */
  static long add(
      Handle handle, long id, ReplaySpan span, List<String> ids, Map<ConsumerRef, Long> rows) {
    return added(
        bind(
                handle.createQuery(
                    "with meant as (select e.* from processed_event e where "
                        + SPAN
                        + " and e.event_id = any(:ids))"
                        + ADD),
                span)
            .bindArray("ids", String.class, ids.toArray())
            .bind("consumer", span.consumer())
            .bind("replay", id),
        rows);
  }

  /** Events of the span in the order of the ledger, a few in memory at once; to be closed. */
  static ResultIterator<Candidate> candidates(Handle handle, ReplaySpan span) {
    return bind(
            handle.createQuery(
                """
                select e.event_id, e.topic, p.body
                from processed_event e
                join event_payload p on p.event_seq = e.seq
                  and p.received_at = e.first_received_at
                  and p.received_at >= :from and p.received_at < :to
                where
                """
                    + SPAN
                    + """
                        and (cast(:pattern as text) is null or e.topic is null
                             or e.topic ~ :pattern)
                      order by e.seq
                      """),
            span)
        .bind("pattern", span.topicPattern())
        .setFetchSize(FETCHED)
        .map(
            (row, context) ->
                new Candidate(
                    requireNonNull(row.getString("event_id")),
                    row.getString("topic"),
                    requireNonNull(row.getBytes("body"))))
        .iterator();
  }

  /**
   * How many events of the span have no payload any more.
   *
   * @param unnamed whether those count whose delivery named no topic
   */
  static long lost(Handle handle, ReplaySpan span, boolean unnamed) {
    return bind(
            handle.createQuery(
                "select count(*) from processed_event e where "
                    + SPAN
                    + """
                        and (cast(:pattern as text) is null or e.topic ~ :pattern
                             or (:unnamed and e.topic is null))
                        and not exists (select from
                      """
                    + PAYLOAD
                    + ") and exists (select from consumer c where "
                    + TAKES
                    + ")"),
            span)
        .bind("pattern", span.topicPattern())
        .bind("unnamed", unnamed)
        .bind("consumer", span.consumer())
        .mapTo(Long.class)
        .one();
  }

  private static long added(Query query, Map<ConsumerRef, Long> rows) {
    return query
        .map(
            (row, context) -> {
              rows.merge(
                  new ConsumerRef(
                      requireNonNull(row.getString("consumer")),
                      requireNonNull(row.getString("source"))),
                  row.getLong("rows"),
                  Long::sum);
              return row.getLong("events");
            })
        .stream()
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }

  private static <S extends SqlStatement<S>> S bind(S statement, ReplaySpan span) {
    return statement
        .bind("source", span.source())
        .bind("from", span.from().atOffset(ZoneOffset.UTC))
        .bind("to", span.to().atOffset(ZoneOffset.UTC));
  }
}
