package io.hooktally.reconcile.source;

import org.jspecify.annotations.Nullable;

/**
 * A number that a run sums up on both sides.
 *
 * @param field pointer to the number, such as {@code /grand_total}
 * @param by pointer to the value it is grouped by, such as {@code /currency}; blank: not grouped
 */
public record SumConfig(String field, String by) {
  /** Fills in defaults. */
  public SumConfig(@Nullable String field, @Nullable String by) {
    this.field = Defaults.text(field, "");
    this.by = Defaults.text(by, "");
  }
}
