package io.hooktally.store.run;

import org.jspecify.annotations.Nullable;

/**
 * Which runs to list; what is null does not matter.
 *
 * @param source the source's name
 * @param entityType the entity type's name
 */
public record RunFilter(
    @Nullable String source,
    @Nullable String entityType,
    @Nullable RunReason reason,
    @Nullable RunState state) {
  /** All of them. */
  public static final RunFilter ALL = new RunFilter(null, null, null, null);
}
