package io.hooktally.service;

import io.hooktally.reconcile.Pause;
import io.hooktally.reconcile.ReconcileSettings;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.SourceAccess;
import io.hooktally.reconcile.source.SourceClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** The reconciler of a configuration, with the clients it reads the sources by. */
public final class Reconciling implements AutoCloseable {
  private static final Duration LEASE = Duration.ofMinutes(2);

  private final Reconciler reconciler;
  private final List<SourceAccess> sources;

  private Reconciling(Reconciler reconciler, List<SourceAccess> sources) {
    this.reconciler = reconciler;
    this.sources = sources;
  }

  /** Over the configured sources. */
  public static Reconciling of(
      HooktallyConfiguration configuration, Jdbi jdbi, InstantSource clock, Pause pause) {
    List<SourceAccess> sources =
        configuration.sources().values().stream()
            .map(source -> new SourceAccess(source, new SourceClient(source, clock)))
            .toList();
    ReconcileSettings settings =
        new ReconcileSettings(
            configuration.reconcile().zone(),
            configuration.reconcile().lookback(),
            LEASE,
            configuration.reconcile().slice());
    return new Reconciling(
        new Reconciler(jdbi, sources, settings, Instance.name(), pause), sources);
  }

  /** The one client of a source, which its dispatcher and its runs share. */
  public SourceClient client(String source) {
    return sources.stream()
        .filter(access -> access.config().name().equals(source))
        .map(SourceAccess::client)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no source " + source));
  }

  /** Does the runs. */
  public Reconciler reconciler() {
    return reconciler;
  }

  @Override
  public void close() {
    sources.forEach(source -> source.client().close());
  }
}
