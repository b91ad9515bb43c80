package io.hooktally.store.dispatch;

import io.hooktally.store.Lane;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An event taken out of the way, kept until a person retries or discards it.
 *
 * @param id the parked row
 * @param consumer whose event it is
 * @param eventId the event
 * @param replayId the replay that handed it over again, 0 for none
 * @param conflictId the conflicting body, 0 for the event itself
 * @param lane how the event came
 * @param topic its topic, where its delivery named one
 * @param key the ordering key; null where the body could not be read
 * @param kind why: {@link Kind}
 * @param attempts how often handing it over was tried
 * @param error the last error, free of content
 * @param receivedAt when the event was received, by the database's clock
 * @param parkedAt since when, by the database's clock
 */
public record Parked(
    long id,
    ConsumerRef consumer,
    String eventId,
    long replayId,
    long conflictId,
    Lane lane,
    @Nullable String topic,
    @Nullable String key,
    Kind kind,
    int attempts,
    String error,
    Instant receivedAt,
    Instant parkedAt) {
  /** Why an event is parked. */
  public enum Kind {
    /** Its last attempt failed. */
    POISON,
    /** It cannot be read as an entity. */
    INVALID;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** As the database and people write it. */
    public String text() {
      return text;
    }
  }
}
