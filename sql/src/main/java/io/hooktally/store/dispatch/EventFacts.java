package io.hooktally.store.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * What the ledger says of an event.
 *
 * @param topic its topic, if it had one
 * @param conflictTopic the topic of the other body under its id, where the row is about a conflict
 * @param seq its sequence in the ledger
 */
public record EventFacts(@Nullable String topic, @Nullable String conflictTopic, long seq) {}
