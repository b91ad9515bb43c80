package io.hooktally.service.receive;

import io.hooktally.store.inbox.Delivery;

/**
 * A verified delivery that waits for its commit.
 *
 * @param deadline when its sender is answered at the latest, in ticks (nanoseconds) of the queue's
 *     clock
 */
record Waiting(Delivery delivery, OpenDelivery open, long deadline) {

  boolean isOver(long now) {
    return now - deadline >= 0;
  }
}
