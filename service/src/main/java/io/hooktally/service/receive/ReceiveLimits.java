package io.hooktally.service.receive;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the receiver takes at most, and for how long it keeps it.
 *
 * @param maxBodySize bytes of one body
 * @param queueBytes bytes of memory for all open deliveries together, above which they are answered
 *     503; a body may take twice its size while it comes in
 * @param keepPayloads for how long raw payloads are kept; null: for ever
 */
public record ReceiveLimits(int maxBodySize, long queueBytes, @Nullable Duration keepPayloads) {}
