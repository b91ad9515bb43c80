package io.hooktally.store.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of an entity's events, all times by the database's clock.
 *
 * @param entityId the entity
 * @param waiting the newest event that is not handled yet
 * @param parked the newest parked event
 * @param last the event that last touched the replica's row
 */
public record LossFact(
    String entityId, @Nullable Waiting waiting, @Nullable Parked parked, @Nullable Last last) {
  /**
   * An event that is to be handed over to the replica.
   *
   * @param attempts how often that failed so far
   */
  public record Waiting(String eventId, Instant receivedAt, int attempts) {}

  /**
   * A parked event.
   *
   * @param kind {@code poison} or {@code invalid}
   * @param error why it is parked, free of content
   */
  public record Parked(String eventId, Instant receivedAt, String kind, String error) {}

  /** An event that was handled. */
  public record Last(String eventId, @Nullable String topic, Instant receivedAt) {}
}
