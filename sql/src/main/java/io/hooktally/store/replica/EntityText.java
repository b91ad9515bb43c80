package io.hooktally.store.replica;

import java.time.Instant;

/**
 * A live row of the replica for a comparison. The array is not copied: nobody may write to it.
 *
 * @param entityId the entity
 * @param modified its modified time, in the source's full precision
 * @param utf8 its body as {@code jsonb} prints it
 */
// Handed through and never compared as a value.
@SuppressWarnings("ArrayRecordComponent")
public record EntityText(String entityId, Instant modified, byte[] utf8) {}
