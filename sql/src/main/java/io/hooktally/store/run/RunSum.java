package io.hooktally.store.run;

import java.math.BigDecimal;

/**
 * One sum of a run on both sides, over the window's rows; ones that moved on during the run and
 * ones of earlier runs are left out on either side.
 *
 * @param field the pointer of what is summed
 * @param by the pointer it is grouped by; blank where it is not
 * @param group the value at {@code by}; blank where there is none
 * @param theirs the source's sum
 * @param before the replica's before the fixes
 * @param after the replica's after them
 */
public record RunSum(
    String field, String by, String group, BigDecimal theirs, BigDecimal before, BigDecimal after) {
  /** Whether the replica now says what the source says. */
  public boolean agrees() {
    return theirs.compareTo(after) == 0;
  }
}
