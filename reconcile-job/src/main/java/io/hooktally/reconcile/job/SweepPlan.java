package io.hooktally.reconcile.job;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When the schedule walks the whole list. */
public enum SweepPlan {
  /**
   * Once a calendar month, after the first daily run in it; one that failed, again the next day.
   */
  @JsonProperty("monthly")
  MONTHLY,
  /** Never by itself. */
  @JsonProperty("off")
  OFF
}
