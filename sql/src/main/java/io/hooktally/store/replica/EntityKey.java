package io.hooktally.store.replica;

/**
 * What an entity is identified by.
 *
 * @param source the source's name
 * @param entityType the entity type, such as {@code order}
 * @param entityId the source's id, in text form; compared byte for byte
 */
public record EntityKey(String source, String entityType, String entityId) {
  @Override
  public String toString() {
    return source + "/" + entityType + "/" + entityId;
  }
}
