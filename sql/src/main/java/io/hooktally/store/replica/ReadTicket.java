package io.hooktally.store.replica;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was known when a read began. Drawn by {@link Replica#beginRead} before the API request is
 * sent and handed to apply with the answer.
 *
 * @param key the entity that is read
 * @param number the read number: of two reads the later-started one has the higher number
 * @param epoch the entity's epoch when the number was drawn
 * @param known whether the replica had a row (a tombstone too) when the number was drawn
 * @param knownModified that row's modified time
 */
public record ReadTicket(
    EntityKey key, long number, int epoch, boolean known, @Nullable Instant knownModified) {
  /**
   * The same with the entity's epoch raised by one: its answer is newer than all that was applied
   * before, whatever the times say. Only for a read begun for that purpose.
   */
  public ReadTicket raised() {
    return new ReadTicket(key, number, epoch + 1, known, knownModified);
  }
}
