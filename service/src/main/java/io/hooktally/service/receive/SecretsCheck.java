package io.hooktally.service.receive;

import com.codahale.metrics.health.HealthCheck;
import java.util.Collection;

/** Unhealthy while a source can accept nothing because there is no secret to verify it with. */
final class SecretsCheck extends HealthCheck {
  private final Collection<ReceivingSource> sources;

  SecretsCheck(Collection<ReceivingSource> sources) {
    this.sources = sources;
  }

  @Override
  protected Result check() {
    return sources.stream()
        .filter(source -> !source.canVerify())
        .findFirst()
        .map(source -> Result.unhealthy(remedy(source)))
        .orElseGet(Result::healthy);
  }

  private static String remedy(ReceivingSource source) {
    return "Source %1$s has no secret: every delivery is answered 503. Set sources.%1$s.signature.secrets"
            .formatted(source.name())
        + " from the environment or a file.";
  }
}
