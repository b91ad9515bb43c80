package io.hooktally.reconcile.source;

/**
 * The entity an event speaks of.
 *
 * @param entityType by its name in the configuration
 * @param entityId in text form, see {@link EntityIds}
 * @param deleteTopic whether the topic says that it was deleted
 */
public record EntityRef(String entityType, String entityId, boolean deleteTopic) {}
