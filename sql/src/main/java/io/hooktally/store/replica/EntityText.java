package io.hooktally.store.replica;

import java.time.Instant;

/**
 * A live row of the replica for a comparison.
 *
 * @param entityId the entity
 * @param modified its modified time, in the source's full precision
 * @param text its body as {@code jsonb} prints it, without the top-level fields that the caller had
 *     left out
 */
public record EntityText(String entityId, Instant modified, String text) {}
