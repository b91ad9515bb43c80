package io.hooktally.store.replica;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Lane;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A state of an entity on its way into the replica, and where it comes from. */
public sealed interface Change {
  /** The entity it is about. */
  EntityKey key();

  /** How it reached us. */
  Lane lane();

  /** The event that caused it, if one did. */
  @Nullable String eventId();

  /**
   * A whole entity carried by a delivery.
   *
   * @param modified the source's modified time in the payload, if any
   * @param body the entity
   * @param sourceNow the source's clock, as near as it is known: a payload far ahead of it is not
   *     believed
   */
  record Payload(
      EntityKey key,
      @Nullable Instant modified,
      JsonNode body,
      Lane lane,
      @Nullable String eventId,
      Instant sourceNow)
      implements Change {}

  /**
   * An entity as a single read of the source's API found it.
   *
   * @param ticket drawn before the request was sent
   * @param modified the source's modified time in the answer, if any
   * @param body the entity
   */
  record Read(
      ReadTicket ticket,
      @Nullable Instant modified,
      JsonNode body,
      Lane lane,
      @Nullable String eventId)
      implements Change {
    @Override
    public EntityKey key() {
      return ticket.key();
    }
  }

  /**
   * A single read said 404 or 410: the entity is gone.
   *
   * @param ticket drawn before the request was sent
   */
  record Gone(ReadTicket ticket, Lane lane, @Nullable String eventId) implements Change {
    @Override
    public EntityKey key() {
      return ticket.key();
    }
  }

  /**
   * What an event says where the source has no API to ask: the ledger's sequence settles what the
   * modified time leaves open, and the row is marked unsettled.
   *
   * @param modified the source's modified time in the payload, if any
   * @param body the entity; null: the event's topic is a delete topic
   * @param ledgerSeq the event's sequence in the ledger
   */
  record Unsettled(
      EntityKey key,
      @Nullable Instant modified,
      @Nullable JsonNode body,
      Lane lane,
      @Nullable String eventId,
      long ledgerSeq)
      implements Change {}
}
