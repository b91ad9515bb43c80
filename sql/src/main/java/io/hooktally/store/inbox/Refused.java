package io.hooktally.store.inbox;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that was answered 4xx, as it is shown to people.
 *
 * @param at when it was answered, by the service's clock
 * @param outcome why, by the word of its metric, such as {@code refused.signature}
 * @param headers as they came, without what proves who somebody is
 * @param bodySha256 in hex; null where the body was not read to its end
 * @param bodySize bytes that were announced or came
 */
public record Refused(
    Instant at,
    String source,
    String outcome,
    Map<String, List<String>> headers,
    @Nullable String bodySha256,
    long bodySize) {}
