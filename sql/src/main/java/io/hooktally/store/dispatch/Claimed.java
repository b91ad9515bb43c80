package io.hooktally.store.dispatch;

import io.hooktally.store.Lane;
import java.time.Instant;

/**
 * A dispatch row this instance works on. Whatever is written of it afterwards names the claim; once
 * another instance has claimed the row anew, this one's writes are refused.
 *
 * @param id the dispatch row
 * @param claim the claim's number
 * @param eventId the event
 * @param conflictId the conflicting body, 0 for the event itself, -1 where it only is to be read
 *     for
 * @param lane how the event came
 * @param receivedAt when the event was received, by the database's clock
 * @param entityType the entity type
 * @param key the ordering key
 * @param attempts how often handing it over has failed so far
 * @param waitedForLag whether the source has been read for it before and may have lagged behind
 */
public record Claimed(
    long id,
    long claim,
    String eventId,
    long conflictId,
    Lane lane,
    Instant receivedAt,
    String entityType,
    String key,
    int attempts,
    boolean waitedForLag) {
  /** Whether the row only has the entity read, whatever the event's body says. */
  public boolean isReadOnly() {
    return conflictId < 0;
  }
}
