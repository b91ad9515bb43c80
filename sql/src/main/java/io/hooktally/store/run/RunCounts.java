package io.hooktally.store.run;

import java.util.Map;

/**
 * The counts of a run, counted from its rows: suspects = found + loaded + unannounced + dissolved +
 * moved on + not decided yet; found = fixed + held back + left + failed + not decided yet. Those of
 * earlier runs that were checked again are counted apart.
 *
 * @param unannounced changes in fields that may change without an event
 * @param undecided not confirmed or not fixed yet; 0 once the run is done
 * @param residual fixed and still different
 * @param byKind found ones by kind
 * @param earlierChecked of earlier runs: checked again
 * @param earlierEnded of those: now fixed, or no disagreement any more
 */
public record RunCounts(
    long suspects,
    long found,
    long loaded,
    long unannounced,
    long dissolved,
    long movedOn,
    long fixed,
    long heldBack,
    long left,
    long failed,
    long undecided,
    long residual,
    Map<Kind, Long> byKind,
    long earlierChecked,
    long earlierEnded) {
  /** Whether the sums hold. */
  public boolean addUp() {
    return undecided == 0
        && suspects == found + loaded + unannounced + dissolved + movedOn
        && found == fixed + heldBack + left + failed
        && found == byKind.values().stream().mapToLong(Long::longValue).sum();
  }
}
