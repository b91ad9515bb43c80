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
   * @param all {@code true}: everything there is, in place of a window
   * @param dryRun {@code true}: report, and change nothing
   * @param trustSource {@code true}: what is ahead is brought back to the source's state
   * @throws IllegalArgumentException naming the word that is wrong, and its shape
   */
  public RunRequest of(
      RunReason reason,
      @Nullable String source,
      @Nullable String entity,
      @Nullable String from,
      @Nullable String to,
      @Nullable String all,
      @Nullable String dryRun,
      @Nullable String trustSource) {
    Target target = target(source, entity);
    RunMode mode = isTrue("dryRun", dryRun) ? RunMode.REPORT : RunMode.FIX;
    RunRequest request =
        isTrue("all", all)
            ? ofAll(reason, target, from, to, mode)
            : ofWindow(reason, target, RunWindow.of(from, to, zone), mode);
    return isTrue("trustSource", trustSource) ? request.trustingSource() : request;
  }

  /** What a run, or a person's word, is about. */
  public record Target(String source, String entityType) {}

  /**
   * The source and entity type that these words name.
   *
   * @throws IllegalArgumentException naming the word that is wrong, and its shape
   */
  public Target target(@Nullable String source, @Nullable String entity) {
    SourceConfig config = source == null ? null : sources.get(source);
    if (config == null) {
      throw new IllegalArgumentException(
          "source must be one of "
              + sources.keySet()
              + (source == null ? "; it is missing." : "."));
    }
    return new Target(config.name(), entityType(config, entity));
  }

  ZoneId zone() {
    return zone;
  }

  private static RunRequest ofWindow(RunReason reason, Target target, Window window, RunMode mode) {
    return reason == RunReason.BACKFILL
        ? RunRequest.backfill(target.source(), target.entityType(), window, mode)
        : RunRequest.manual(target.source(), target.entityType(), window, mode);
  }

  private static RunRequest ofAll(
      RunReason reason, Target target, @Nullable String from, @Nullable String to, RunMode mode) {
    if (from != null || to != null) {
      throw new IllegalArgumentException("all leaves no room for from and to: write one of both.");
    }
    return reason == RunReason.BACKFILL
        ? RunRequest.backfillAll(target.source(), target.entityType(), mode)
        : RunRequest.sweep(target.source(), target.entityType(), mode, null);
  }

  private static boolean isTrue(String name, @Nullable String value) {
    if (value != null && !value.matches("true|false")) {
      throw new IllegalArgumentException(name + " must be true or false.");
    }
    return "true".equals(value);
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
