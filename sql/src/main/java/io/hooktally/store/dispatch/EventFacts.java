package io.hooktally.store.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * What the ledger says of an event.
 *
 * @param topic its topic, if it had one
 * @param seq its sequence in the ledger
 */
public record EventFacts(@Nullable String topic, long seq) {}
