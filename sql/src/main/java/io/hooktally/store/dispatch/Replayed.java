package io.hooktally.store.dispatch;

/**
 * What became of a replay.
 *
 * @param id its number
 * @param events stored events that are handed over again
 * @param rows what is to be handed over: an event may go to several consumers
 * @param lost events of the span that could not be replayed, or not even be looked at: their
 *     payload has been dropped
 */
public record Replayed(long id, long events, long rows, long lost) {}
