package io.hooktally.service.receive;

/**
 * What the receiver takes at most.
 *
 * @param maxBodySize bytes of one body
 * @param queueBytes bytes of memory for all open deliveries together, above which they are answered
 *     503; a body may take twice its size while it comes in
 */
public record ReceiveLimits(int maxBodySize, long queueBytes) {}
