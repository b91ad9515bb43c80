package io.hooktally.service.health;

import com.codahale.metrics.health.HealthCheck;
import io.hooktally.service.dispatch.Dispatcher;
import io.hooktally.store.dispatch.DispatchSums;
import java.util.Optional;

/** Whether events reach the replica: no outage of the source, and counts that add up. */
public final class DispatcherCheck extends HealthCheck {
  private final Dispatcher dispatcher;

  /** Of that dispatcher. */
  public DispatcherCheck(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  @Override
  protected Result check() {
    try {
      return look();
    } catch (RuntimeException e) {
      return Result.unhealthy("not known: the database does not answer");
    }
  }

  private Result look() {
    DispatchSums sums = dispatcher.queue().sums();
    Optional<String> outage = dispatcher.outage();
    if (outage.isPresent()) {
      return Result.unhealthy("%d events wait: %s", sums.pending(), outage.get());
    }
    return sums.holds()
        ? Result.healthy(
            "%d pending, %d held, %d parked", sums.pending(), sums.held(), sums.parked())
        : Result.unhealthy("The counts of events do not add up: %s", sums);
  }
}
