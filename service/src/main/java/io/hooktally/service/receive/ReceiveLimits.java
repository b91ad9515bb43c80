package io.hooktally.service.receive;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the receiver takes at most, and for how long it keeps it.
 *
 * @param maxBodySize bytes of one body, also of what it inflates to
 * @param queueBytes bytes of memory for all open deliveries together, above which they are answered
 *     503; a body may take twice its size while it comes in
 * @param keepPayloads for how long raw payloads are kept; null: for ever
 * @param arrival how long a delivery may take, from its head to its answer; its head may take up to
 *     about three times as long
 */
public record ReceiveLimits(
    int maxBodySize, long queueBytes, @Nullable Duration keepPayloads, Duration arrival) {
  // Senders give up after 5 s: what takes longer is not one of them.
  private static final Duration ARRIVAL = Duration.ofSeconds(10);

  /** With ten seconds for a delivery to arrive. */
  public ReceiveLimits(int maxBodySize, long queueBytes, @Nullable Duration keepPayloads) {
    this(maxBodySize, queueBytes, keepPayloads, ARRIVAL);
  }
}
