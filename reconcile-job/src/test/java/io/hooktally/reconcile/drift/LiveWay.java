package io.hooktally.reconcile.drift;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceTime;
import io.hooktally.store.Lane;
import io.hooktally.store.replica.Applied;
import io.hooktally.store.replica.Change;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.replica.ReadTicket;
import io.hooktally.store.replica.Replica;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;

/** The live way in small: what the dispatcher does with events of orders. */
final class LiveWay {
  private static final AtomicInteger EVENTS = new AtomicInteger();

  private final Jdbi jdbi;
  private final Replica replica;
  private final SourceClient client;
  private final String source;

  LiveWay(Jdbi jdbi, SourceClient client, String source) {
    this.jdbi = jdbi;
    this.replica = new Replica(jdbi);
    this.client = client;
    this.source = source;
  }

  EntityKey key(String id) {
    return new EntityKey(source, "order", id);
  }

  /** An event that carries the whole order; answers whether it had to be read instead. */
  boolean payload(JsonNode order) {
    Instant modified = SourceTime.read(order.get("updated_at").asText()).orElseThrow();
    String id = order.get("id").asText();
    Applied applied =
        replica.apply(new Change.Payload(key(id), modified, order, Lane.LIVE, null, client.now()));
    if (applied == Applied.TIE) {
      read(id);
    }
    return applied == Applied.TIE;
  }

  /** An event that is only the trigger. */
  void read(String id) {
    for (int reads = 0; reads < 5; reads++) {
      ReadTicket ticket = replica.beginRead(key(id));
      ReadResult result = client.read("order", id);
      Change change =
          result instanceof ReadResult.Found found
              ? new Change.Read(ticket, found.modified(), found.body(), Lane.LIVE, null)
              : new Change.Gone(ticket, Lane.LIVE, null);
      if (replica.apply(change) != Applied.TIE) {
        return;
      }
    }
    throw new IllegalStateException("a tie again and again: " + id);
  }

  /** Notes that an event has been received and is not handled yet; answers its end. */
  Runnable received(String id) {
    String event = "e" + EVENTS.incrementAndGet();
    jdbi.useHandle(
        handle ->
            handle.execute(
                """
                insert into dispatch (consumer, source, event_id, received_at, entity_type, key)
                values ('replica', ?, ?, clock_timestamp(), 'order', ?)
                """,
                source,
                event,
                "order/" + id));
    return () ->
        jdbi.useHandle(
            handle ->
                handle.execute(
                    "delete from dispatch where source = ? and event_id = ?", source, event));
  }
}
