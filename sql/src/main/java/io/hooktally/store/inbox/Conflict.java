package io.hooktally.store.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Another body that came under an event id we have.
 *
 * @param id what a dispatch row's {@code conflict_id} names
 * @param topic the topic that came with this body
 * @param bodySha256 SHA-256 of this body, in hex
 * @param receivedAt when this body came first, by the database's clock
 * @param deliveries how often it came
 */
public record Conflict(
    long id,
    String source,
    String eventId,
    @Nullable String topic,
    String bodySha256,
    Instant receivedAt,
    long deliveries,
    Payload payload) {}
