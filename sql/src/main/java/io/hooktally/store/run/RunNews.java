package io.hooktally.store.run;

/**
 * What is new in a completed run: people are told of that, and not again of what they know.
 *
 * @param found disagreements on entities that no earlier run left open
 * @param heldBack of those: wait for a person
 * @param left of those: left as they are
 * @param failed of those: could not be fixed
 * @param residual entities that still differ after their fix, and that no earlier run left open
 * @param openBefore entities open before the run
 * @param open entities open after it
 */
public record RunNews(
    long found, long heldBack, long left, long failed, long residual, long openBefore, long open) {
  /** Whether something new is wrong. */
  public boolean isWrong() {
    return found > 0 || residual > 0;
  }

  /** Whether the last one that was open has ended. */
  public boolean isSolved() {
    return openBefore > 0 && open == 0;
  }
}
