package io.hooktally.store.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the ledger of ids.
 *
 * @param seq for display and reference, never a cursor
 * @param bodySha256 SHA-256 of the first body, in hex
 * @param deliveries all deliveries of this id that were committed, the first one included
 * @param conflicts those among them whose body was not the first one's
 */
public record ProcessedEvent(
    String source,
    String eventId,
    long seq,
    @Nullable String topic,
    String bodySha256,
    Instant firstReceivedAt,
    Instant lastReceivedAt,
    long deliveries,
    int conflicts) {}
