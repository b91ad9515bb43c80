package io.hooktally.store.run;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import org.jdbi.v3.core.Jdbi;

/** Whether events that came before a read may still change what the read is compared with. */
public final class Pending {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Pending(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The database's clock, which also dates the receipt of events. */
  public Instant databaseNow() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery("select clock_timestamp()")
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant());
  }

  /**
   * Whether events of the source received up to then lack a key, or ones of these entities are
   * still to be handed to the replica. An event is no longer pending once it is handled or parked;
   * one behind a parked event of its key is held, and not waited for.
   */
  public boolean any(String source, String entityType, Collection<String> ids, Instant upTo) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select exists (
                        select from dispatch
                        where consumer = 'replica' and source = :source and key is null
                          and received_at <= :upTo
                    ) or exists (
                        select from dispatch d
                        where consumer = 'replica' and source = :source and key = any(:keys)
                          and received_at <= :upTo
                          and not exists (select from parked p
                              join consumer c on c.name = p.consumer and c.source = p.source
                              where p.consumer = d.consumer and p.source = d.source
                                and p.key = d.key and p.lane = d.lane and c.hold_key
                                and (p.dispatch_id < d.id or p.dispatch_id is null))
                    )
                    """)
                .bind("source", source)
                .bind("upTo", upTo.atOffset(ZoneOffset.UTC))
                .bindArray(
                    "keys", String.class, ids.stream().map(id -> entityType + "/" + id).toArray())
                .mapTo(Boolean.class)
                .one());
  }
}
