package io.hooktally.reconcile.fix;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.RunContext;
import io.hooktally.reconcile.compare.BodyComparison;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.run.Decided;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Loss;
import io.hooktally.store.run.LossFact;
import io.hooktally.store.run.Reading;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.run.Verdict;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says of each suspect that was looked at again what the report needs besides the verdict: whether
 * it counts as a disagreement at all, how its change was lost, and what both sides add to the sums.
 */
final class Account {
  private static final Set<Kind> LOADED = EnumSet.of(Kind.MISSING, Kind.STALE);
  private static final Set<Kind> UNANNOUNCED = EnumSet.of(Kind.STALE, Kind.DIFFERENT);

  /**
   * A suspect, looked at again.
   *
   * @param body the read's entity; null where the source said 404 or 410
   * @param ours the replica's row after the read
   */
  record Looked(
      Disagreement suspect,
      Reading reading,
      @Nullable JsonNode body,
      @Nullable Entity ours,
      Verdict verdict) {}

  private final RunContext run;
  private final DeliveryTroubles troubles;
  private final @Nullable BodyComparison announced;

  Account(RunContext run, DeliveryTroubles troubles) {
    this.run = run;
    this.troubles = troubles;
    List<String> unannounced = run.type().unannounced();
    this.announced =
        unannounced.isEmpty()
            ? null
            : new BodyComparison(
                run.type()
                    .compare()
                    .ignoring(
                        Stream.concat(unannounced.stream(), run.type().modified().stream())
                            .toList()));
  }

  /** In the order given, with one query for all of them. */
  List<Decided> of(List<Looked> batch) {
    List<String> confirmed =
        batch.stream()
            .filter(one -> one.verdict().state() == SuspectState.CONFIRMED)
            .map(one -> one.suspect().entityId())
            .toList();
    Map<String, LossFact> facts =
        confirmed.isEmpty()
            ? Map.of()
            : run.store().lossFacts().find(run.run().source(), run.run().entityType(), confirmed);
    Duration sourceAhead =
        confirmed.isEmpty()
            ? Duration.ZERO
            : Duration.between(run.store().pending().databaseNow(), run.client().now());
    HowLost howLost = new HowLost(run.run().source(), sourceAhead, troubles);
    return batch.stream().map(one -> decided(one, howLost, facts)).toList();
  }

  private Decided decided(Looked one, HowLost howLost, Map<String, LossFact> facts) {
    Verdict verdict = one.verdict();
    Kind kind = verdict.kind();
    Entity ours = one.ours();
    boolean loaded = run.loads() && kind != null && LOADED.contains(kind);
    boolean unannounced = !loaded && kind != null && isUnannounced(kind, one);
    Loss loss =
        kind == null || loaded || unannounced
            ? null
            : howLost.of(kind, one.reading(), ours, facts.get(one.suspect().entityId()));
    return new Decided(
        verdict,
        loaded,
        unannounced,
        loss,
        run.sums().of(ours == null || ours.deleted() ? null : ours.body()),
        run.sums().of(one.body()));
  }

  private boolean isUnannounced(Kind kind, Looked one) {
    return announced != null
        && UNANNOUNCED.contains(kind)
        && one.ours() != null
        && one.ours().body() != null
        && one.body() != null
        && announced.differences(one.ours().body(), one.body()).isEmpty();
  }
}
