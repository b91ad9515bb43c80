package io.hooktally.store.run;

import java.time.Instant;

/**
 * One run in the history of its source and entity type.
 *
 * @param found disagreements, without unannounced ones and ones of earlier runs
 * @param fixed of those: fixed, and not residual
 */
public record PastRun(long id, RunState state, Instant startedAt, long found, long fixed) {}
