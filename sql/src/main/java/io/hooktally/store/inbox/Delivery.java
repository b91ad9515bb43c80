package io.hooktally.store.inbox;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One verified delivery, ready to be stored. The arrays are not copied: nobody may write to them
 * any more.
 *
 * @param source the source's name
 * @param eventId the event id as it came, compared byte for byte
 * @param topic the event's name, where a header carries it
 * @param headers the request's headers worth keeping: name to values, in the order they came
 * @param body the raw body, byte for byte
 * @param sha256 SHA-256 of {@code body}
 */
// Large arrays, handed through and never compared as values.
@SuppressWarnings("ArrayRecordComponent")
public record Delivery(
    String source,
    String eventId,
    @Nullable String topic,
    Map<String, List<String>> headers,
    byte[] body,
    byte[] sha256) {

  /** Names the delivery in logs: neither body nor headers. */
  @Override
  public String toString() {
    return "Delivery(" + source + ", " + eventId + ", " + body.length + " bytes)";
  }
}
