package io.hooktally.store.inbox;

import java.util.HexFormat;
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
  private static final String BY_BODY = "sha256:";

  /** The event id of a delivery that carries none. */
  public static String idByBody(byte[] sha256) {
    return BY_BODY + HexFormat.of().formatHex(sha256);
  }

  /** Whether its id says no more than that its body is the same. */
  boolean isNamedByItsBody() {
    return eventId.startsWith(BY_BODY);
  }

  /** Names the delivery in logs: neither body nor headers. */
  @Override
  public String toString() {
    return "Delivery(" + source + ", " + eventId + ", " + body.length + " bytes)";
  }
}
