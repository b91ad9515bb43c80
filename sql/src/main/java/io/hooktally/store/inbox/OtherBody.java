package io.hooktally.store.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Conflict} without its body, for lists.
 *
 * @param id the conflict's number
 * @param topic the topic that came with this body
 * @param bodySha256 SHA-256 of this body, in hex
 * @param bodySize its bytes
 * @param receivedAt when this body came first, by the database's clock
 * @param deliveries how often it came
 */
public record OtherBody(
    long id,
    String eventId,
    @Nullable String topic,
    String bodySha256,
    int bodySize,
    Instant receivedAt,
    long deliveries) {}
