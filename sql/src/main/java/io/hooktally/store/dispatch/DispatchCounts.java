package io.hooktally.store.dispatch;

import org.jdbi.v3.core.Handle;

/** The dispatch_count table: totals per (consumer, instance), kept in the transactions counted. */
final class DispatchCounts {
  private DispatchCounts() {}

  static void done(Handle handle, ConsumerRef consumer, String instance, int events) {
    DispatchRows.bind(
            handle.createUpdate(
                """
                insert into dispatch_count as total (consumer, source, instance, done)
                values (:consumer, :source, :instance, :events)
                on conflict (consumer, source, instance)
                do update set done = total.done + excluded.done
                """),
            consumer)
        .bind("instance", instance)
        .bind("events", events)
        .execute();
  }

  /** One statement, so that all parts of the sum are seen at the same moment. */
  static DispatchSums sums(Handle handle, ConsumerRef consumer) {
    return DispatchRows.bind(
            handle.createQuery(
                """
                select coalesce(sum(dispatched), 0) as dispatched, coalesce(sum(done), 0) as done,
                       coalesce(sum(discarded), 0) as discarded,
                       (select count(*) from dispatch
                        where consumer = :consumer and source = :source) as pending,
                       (select count(*) from parked
                        where consumer = :consumer and source = :source) as parked
                from dispatch_count
                where consumer = :consumer and source = :source
                """),
            consumer)
        .map(
            (row, context) ->
                new DispatchSums(
                    row.getLong("dispatched"),
                    row.getLong("done"),
                    row.getLong("pending"),
                    0,
                    row.getLong("parked"),
                    row.getLong("discarded")))
        .one();
  }
}
