package io.hooktally.store.inbox;

import java.util.List;
import java.util.Map;

/**
 * What came with an event.
 *
 * @param body the raw body, byte for byte
 * @param headers the headers that were kept: name to values
 */
// Read from the database and handed out; never compared as a value.
@SuppressWarnings("ArrayRecordComponent")
public record Payload(byte[] body, Map<String, List<String>> headers) {}
