package io.hooktally.store.replica;

/**
 * An entity's id and version without its body, for walking through many.
 *
 * @param entityId the source's id
 * @param version which state the replica holds
 */
public record EntityVersion(String entityId, Version version) {}
