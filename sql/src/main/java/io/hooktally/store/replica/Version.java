package io.hooktally.store.replica;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which of two states of an entity is newer: (epoch, modified time, read number), in this order.
 *
 * @param epoch 0, raised when a person declares the source's times bogus so far
 * @param modified the source's modified time, full precision; null where the type has none
 * @param readNumber drawn before the API request was sent; 0 for a payload, which loses every tie
 */
public record Version(int epoch, @Nullable Instant modified, long readNumber) {}
