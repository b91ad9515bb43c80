package io.hooktally.store.dispatch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Stored events that are to be handed over again.
 *
 * @param source whose events
 * @param from received at or after this time, by the database's clock
 * @param to received before this time
 * @param topicPattern whose topic matches this anchored regular expression of PostgreSQL's; those
 *     whose delivery named none are left to the {@link Test}; null: of any topic
 * @param consumer to the consumer with this name only; null: to all that take the topic
 */
public record ReplaySpan(
    String source,
    Instant from,
    Instant to,
    @Nullable String topicPattern,
    @Nullable String consumer) {
  /** Looks into an event where the ledger does not tell whether it is meant. */
  @FunctionalInterface
  public interface Test {
    /**
     * Whether the event is meant.
     *
     * @param topic the topic that its delivery named; null: none
     * @param bodies what was delivered
     */
    boolean test(@Nullable String topic, Bodies bodies);
  }
}
