package io.hooktally.reconcile.source;

import java.time.Duration;

/**
 * What a client asked of its source so far.
 *
 * @param requests sent, the repeated ones too
 * @param bytes of the bodies that were read, after decompression
 * @param throttled how long requests waited because the source or its configured pace wanted it, in
 *     sum over the requests; more than the time that passed where several waited at once
 */
public record SourceUsage(long requests, long bytes, Duration throttled) {
  /** Nothing yet. */
  public static final SourceUsage NONE = new SourceUsage(0, 0, Duration.ZERO);

  /** Both together. */
  public SourceUsage plus(SourceUsage other) {
    return new SourceUsage(
        requests + other.requests, bytes + other.bytes, throttled.plus(other.throttled));
  }
}
