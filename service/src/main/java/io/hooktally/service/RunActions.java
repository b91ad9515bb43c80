package io.hooktally.service;

import io.hooktally.reconcile.Reconciler;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.Watermarks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What people do about runs and what they found, on the command line and at the tasks alike. */
public final class RunActions {
  private final Reconciler reconciler;
  private final OpenDisagreements open;
  private final Watermarks watermarks;
  private final RunRequests requests;
  private final InstantSource clock;

  /** Over one database and its reconciler. */
  public RunActions(
      Reconciler reconciler,
      OpenDisagreements open,
      Watermarks watermarks,
      RunRequests requests,
      InstantSource clock) {
    this.reconciler = reconciler;
    this.open = open;
    this.watermarks = watermarks;
    this.requests = requests;
    this.clock = clock;
  }

  /** Ends a run; see {@link Reconciler#cancel}. */
  public void cancel(@Nullable String run, String who) {
    reconciler.cancel(number(run), who);
  }

  /** Takes up a run in the background; see {@link Reconciler#resume}. */
  public long resume(@Nullable String run, Executor executor) {
    return reconciler.resume(number(run), executor);
  }

  /**
   * Takes an entity as it is.
   *
   * @throws IllegalArgumentException naming the word that is wrong, or when nothing is open there
   */
  public void accept(
      @Nullable String source,
      @Nullable String entity,
      @Nullable String id,
      @Nullable String reason,
      String who) {
    RunRequests.Target target = requests.target(source, entity);
    String entityId = needed("id", id, "the id of an entity");
    String why = needed("reason", reason, "why it may stay as it is");
    EntityKey key = new EntityKey(target.source(), target.entityType(), entityId);
    if (!open.accept(key, who, why)) {
      throw new IllegalArgumentException("id names nothing that is open; list what is.");
    }
  }

  /**
   * Lets what a run held back be fixed by the next run.
   *
   * @param id one entity; null: all of them
   * @return how many
   */
  public int approve(@Nullable String run, @Nullable String id, String who) {
    int approved = open.approve(number(run), id, who);
    if (approved == 0) {
      throw new IllegalArgumentException(
          "run names none that holds something back still; list what is open.");
    }
    return approved;
  }

  /**
   * Sets a watermark.
   *
   * @return what it was
   */
  public Optional<Instant> setWatermark(
      @Nullable String source, @Nullable String entity, @Nullable String at, String who) {
    RunRequests.Target target = requests.target(source, entity);
    Instant time = RunWindow.time("at", at, requests.zone());
    if (time.isAfter(clock.instant())) {
      throw new IllegalArgumentException("at must not lie in the future.");
    }
    return watermarks.set(target.source(), target.entityType(), time, who);
  }

  private static long number(@Nullable String run) {
    if (run == null || !run.matches("\\d{1,18}")) {
      throw new IllegalArgumentException("run must be a run's number, such as 42.");
    }
    return Long.parseLong(run);
  }

  private static String needed(String name, @Nullable String value, String shape) {
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(name + " is missing; write " + shape + ".");
    }
    return value.strip();
  }
}
