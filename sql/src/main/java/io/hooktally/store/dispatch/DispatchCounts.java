package io.hooktally.store.dispatch;

import java.util.Map;
import org.jdbi.v3.core.Handle;

/** The dispatch_count table: totals per (consumer, instance), kept in the transactions counted. */
final class DispatchCounts {
  private DispatchCounts() {}

  static void done(Handle handle, ConsumerRef consumer, String instance, int events) {
    add(handle, consumer, instance, 0, events, 0);
  }

  static void dispatched(Handle handle, String instance, Map<ConsumerRef, Long> events) {
    // In one order for everybody: two that count for several consumers cannot lock each other out.
    events.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(ConsumerRef.ORDER))
        .forEach(count -> add(handle, count.getKey(), instance, count.getValue(), 0, 0));
  }

  static void discarded(Handle handle, String instance, Map<ConsumerRef, Long> events) {
    events.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(ConsumerRef.ORDER))
        .forEach(count -> add(handle, count.getKey(), instance, 0, 0, count.getValue()));
  }

  private static void add(
      Handle handle,
      ConsumerRef consumer,
      String instance,
      long dispatched,
      long done,
      long discarded) {
    DispatchRows.bind(
            handle.createUpdate(
                """
                insert into dispatch_count as total
                    (consumer, source, instance, dispatched, done, discarded)
                values (:consumer, :source, :instance, :dispatched, :done, :discarded)
                on conflict (consumer, source, instance)
                do update set dispatched = total.dispatched + excluded.dispatched,
                    done = total.done + excluded.done,
                    discarded = total.discarded + excluded.discarded
                """),
            consumer)
        .bind("instance", instance)
        .bind("dispatched", dispatched)
        .bind("done", done)
        .bind("discarded", discarded)
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
                        where consumer = :consumer and source = :source) as waiting,
                       (select count(*) from dispatch d
                        join consumer c on c.name = d.consumer and c.source = d.source
                        where d.consumer = :consumer and d.source = :source and c.hold_key
                          and exists (
                              select from parked p
                              where p.consumer = d.consumer and p.source = d.source
                                and p.key = d.key and p.lane = d.lane
                                and (p.dispatch_id < d.id or p.dispatch_id is null))) as held,
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
                    row.getLong("waiting") - row.getLong("held"),
                    row.getLong("held"),
                    row.getLong("parked"),
                    row.getLong("discarded")))
        .one();
  }
}
