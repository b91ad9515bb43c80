package io.hooktally.service.receive;

import com.codahale.metrics.health.HealthCheck;
import java.util.Collection;
import java.util.Locale;

/**
 * Healthy while delivered = stored + duplicate + conflict + refused + unavailable + aborted, apart
 * from deliveries that are still open.
 */
final class CountsCheck extends HealthCheck {
  private final Collection<ReceivingSource> sources;

  CountsCheck(Collection<ReceivingSource> sources) {
    this.sources = sources;
  }

  @Override
  protected Result check() {
    for (ReceivingSource source : sources) {
      Counts counts = source.tally().counts();
      if (!counts.addUp()) {
        return Result.unhealthy(
            String.format(
                Locale.ROOT,
                "Source %s: %d deliveries came, %d are open, but %d are counted as ended. This is a"
                    + " fault of Hooktally: please report it.",
                source.name(),
                counts.delivered(),
                counts.open(),
                counts.decided()));
      }
    }
    return Result.healthy();
  }
}
