package io.hooktally.store.dispatch;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was delivered under an event's id, byte for byte. A class, since arrays have no value
 * equality.
 */
public final class Bodies {
  private final byte[] event;
  private final byte @Nullable [] conflict;

  Bodies(byte[] event, byte @Nullable [] conflict) {
    this.event = event;
    this.conflict = conflict;
  }

  /** The event's own body: the first that came under its id. The array is not copied. */
  public byte[] event() {
    return event;
  }

  /** The other body under the same id, where the row is about a conflict. Not copied. */
  public Optional<byte[]> conflict() {
    return Optional.ofNullable(conflict);
  }
}
