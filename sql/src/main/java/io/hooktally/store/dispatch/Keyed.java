package io.hooktally.store.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * What the body of a dispatch row says: which entity it is about, or that it cannot be read.
 *
 * @param id the dispatch row
 * @param entityType the entity type; null: the body cannot be read as an entity
 * @param key the ordering key; null: the body cannot be read as an entity
 * @param invalid why it cannot be read, free of content; null where it can
 */
public record Keyed(
    long id, @Nullable String entityType, @Nullable String key, @Nullable String invalid) {
  /** A row that is about an entity. */
  public static Keyed entity(long id, String entityType, String key) {
    return new Keyed(id, entityType, key, null);
  }

  /** A row whose topic, found in its body, is none of the consumer's: it is done. */
  public static Keyed unwanted(long id) {
    return new Keyed(id, null, null, null);
  }

  /** Whether nothing is to be handed over. */
  public boolean isUnwanted() {
    return key == null && invalid == null;
  }

  /** A row that cannot be read and is parked. */
  public static Keyed invalid(long id, String reason) {
    return new Keyed(id, null, null, reason);
  }
}
