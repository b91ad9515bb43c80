package io.hooktally.service.receive;

import java.util.Map;

/**
 * How the deliveries to one source ended since the process started, at one moment.
 *
 * @param delivered all that came
 * @param open those not answered to the end yet
 * @param outcomes how many ended in each outcome
 */
public record Counts(long delivered, long open, Map<Outcome, Long> outcomes) {

  /** The sum of all outcomes. */
  public long decided() {
    return outcomes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many ended so. */
  public long of(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  /**
   * Whether the counts add up: each delivery has at most one outcome, and one that is over has one.
   * With none open, delivered is the sum of the outcomes.
   */
  public boolean addUp() {
    return open >= 0 && decided() <= delivered && decided() >= delivered - open;
  }
}
