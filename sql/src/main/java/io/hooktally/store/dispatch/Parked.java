package io.hooktally.store.dispatch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event taken out of the way, kept until a person retries or discards it.
 *
 * @param id the parked row
 * @param consumer whose event it is
 * @param eventId the event
 * @param conflictId the conflicting body, 0 for the event itself
 * @param key the ordering key; null where the body could not be read
 * @param kind why: {@link Kind}
 * @param attempts how often handing it over was tried
 * @param error the last error, free of content
 * @param parkedAt since when, by the database's clock
 */
public record Parked(
    long id,
    ConsumerRef consumer,
    String eventId,
    long conflictId,
    @Nullable String key,
    Kind kind,
    int attempts,
    String error,
    Instant parkedAt) {
  /** Why an event is parked. */
  public enum Kind {
    /** Its last attempt failed. */
    POISON,
    /** It cannot be read as an entity. */
    INVALID
  }
}
