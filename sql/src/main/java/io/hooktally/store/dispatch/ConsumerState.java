package io.hooktally.store.dispatch;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a consumer stands.
 *
 * @param consumer which one
 * @param holdKey whether later events of a key wait while one of it is parked
 * @param pending still to be handed over, without those that are held
 * @param held waiting because an earlier event of its key is parked
 * @param parked taken out of the way
 * @param oldest for how long the oldest of its rows has waited, replayed ones apart; null: none
 *     does
 * @param pause since when nothing is handed over to it, and why; null: it is not paused
 */
public record ConsumerState(
    ConsumerRef consumer,
    boolean holdKey,
    long pending,
    long held,
    long parked,
    @Nullable Duration oldest,
    @Nullable Pause pause) {
  /**
   * A pause that a person made.
   *
   * @param since by the database's clock
   */
  public record Pause(Instant since, String by, String reason) {}
}
