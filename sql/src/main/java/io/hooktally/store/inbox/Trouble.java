package io.hooktally.store.inbox;

import java.time.Instant;

/**
 * A span in which something was wrong with deliveries.
 *
 * @param source whose; empty: all, where no instance was there
 * @param outcome how the deliveries ended, by the word of their metric, such as {@code
 *     refused.signature}; {@link Troubles#AWAY}: no instance was there to take any
 * @param beganAt by the database's clock, at most some seconds before the first of them
 * @param endedAt by the database's clock
 * @param deliveries how many; 0 where nobody was there to count
 */
public record Trouble(
    String source, String outcome, Instant beganAt, Instant endedAt, long deliveries) {}
