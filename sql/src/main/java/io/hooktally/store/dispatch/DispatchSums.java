package io.hooktally.store.dispatch;

/**
 * The sum that must hold of a consumer, also after a kill: dispatched = done + pending + held +
 * parked + discarded.
 *
 * @param dispatched rows ever written for the consumer
 * @param done handed over
 * @param pending still to be handed over
 * @param held waiting because an earlier event of its key is parked
 * @param parked taken out of the way
 * @param discarded given up by a person
 */
public record DispatchSums(
    long dispatched, long done, long pending, long held, long parked, long discarded) {
  /** Whether everything that was counted adds up. */
  public boolean holds() {
    return dispatched == done + pending + held + parked + discarded;
  }
}
