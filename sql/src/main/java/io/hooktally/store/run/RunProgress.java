package io.hooktally.store.run;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a run is, and what it has asked of its source.
 *
 * @param phase what it is at; null before its first step
 * @param pages pages listed
 * @param reached the time of the last row listed, in the source's time; it falls towards the
 *     window's start
 * @param requests sent to the source, also before the run was taken up again
 * @param bytes read from it
 * @param throttled how long the source, or the pace set for it, made the run wait
 */
public record RunProgress(
    @Nullable RunPhase phase,
    long pages,
    @Nullable Instant reached,
    long requests,
    long bytes,
    Duration throttled) {
  /** Nothing yet. */
  public static final RunProgress NONE = new RunProgress(null, 0, null, 0, 0, Duration.ZERO);
}
