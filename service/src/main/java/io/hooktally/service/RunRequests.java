package io.hooktally.service;

import io.hooktally.reconcile.RunRequest;
import io.hooktally.reconcile.Window;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunReason;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs as people ask for them, on the command line and at the tasks. */
public final class RunRequests {
  private final Map<String, SourceConfig> sources;
  private final ZoneId zone;

  /**
   * For the configured sources.
   *
   * @param zone in which dates begin
   */
  public RunRequests(Map<String, SourceConfig> sources, ZoneId zone) {
    this.sources = sources;
    this.zone = zone;
  }

  /**
   * The run that these words ask for.
   *
   * @param entity may be left out where the source has one entity type only
   * @param dryRun {@code true}: report, and change nothing
   * @throws IllegalArgumentException naming the word that is wrong, and its shape
   */
  public RunRequest of(
      RunReason reason,
      @Nullable String source,
      @Nullable String entity,
      @Nullable String from,
      @Nullable String to,
      @Nullable String dryRun) {
    SourceConfig config = source == null ? null : sources.get(source);
    if (config == null) {
      throw new IllegalArgumentException(
          "source must be one of "
              + sources.keySet()
              + (source == null ? "; it is missing." : "."));
    }
    String type = entityType(config, entity);
    if (dryRun != null && !dryRun.matches("true|false")) {
      throw new IllegalArgumentException("dryRun must be true or false.");
    }
    RunMode mode = "true".equals(dryRun) ? RunMode.REPORT : RunMode.FIX;
    Window window = RunWindow.of(from, to, zone);
    return reason == RunReason.BACKFILL
        ? RunRequest.backfill(config.name(), type, window, mode)
        : RunRequest.manual(config.name(), type, window, mode);
  }

  private static String entityType(SourceConfig config, @Nullable String entity) {
    Set<String> types = config.entities().keySet();
    if (entity == null || entity.isBlank()) {
      if (types.size() == 1) {
        return types.iterator().next();
      }
      throw new IllegalArgumentException("entity must be one of " + types + "; it is missing.");
    }
    if (!types.contains(entity)) {
      throw new IllegalArgumentException("entity must be one of " + types + ".");
    }
    return entity;
  }
}
