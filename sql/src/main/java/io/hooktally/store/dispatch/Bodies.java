package io.hooktally.store.dispatch;

import io.hooktally.store.ContentEncoding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was delivered under an event's id. A class, since arrays have no value equality. What is
 * gzip is inflated anew by each call: many of them waiting together must not fill the memory.
 */
public final class Bodies {
  private final Encoded event;
  private final @Nullable Encoded conflict;

  Bodies(Encoded event, @Nullable Encoded conflict) {
    this.event = event;
    this.conflict = conflict;
  }

  /**
   * A body as it was sent.
   *
   * @param encoding its {@code Content-Encoding}
   */
  // Handed through, never compared as a value.
  @SuppressWarnings("ArrayRecordComponent")
  record Encoded(byte[] body, @Nullable String encoding) {
    byte[] decoded() {
      return ContentEncoding.decode(encoding, body);
    }
  }

  /**
   * What the event's own body says: the first that came under its id. Not copied.
   *
   * @throws io.hooktally.store.InvalidJsonException when it is gzip and broken
   */
  public byte[] event() {
    return event.decoded();
  }

  /**
   * What the other body under the same id says, where the row is about a conflict. Not copied.
   *
   * @throws io.hooktally.store.InvalidJsonException when it is gzip and broken
   */
  public Optional<byte[]> conflict() {
    return Optional.ofNullable(conflict).map(Encoded::decoded);
  }
}
