package io.hooktally.reconcile.source;

import java.util.List;
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

  /** Equal rows are summed once for both sides: what is summed must be compared, and exactly. */
  List<Problem> problems(String at, CompareConfig compare) {
    Problems problems = new Problems(at);
    problems.pointers("field", List.of(field).stream().filter(f -> !f.isEmpty()).toList(), true);
    problems.pointers("by", List.of(by), false);
    for (String pointer : by.isEmpty() ? List.of(field) : List.of(field, by)) {
      boolean inexact =
          compare.ignore().stream().anyMatch(ignored -> isAtOrBelow(pointer, ignored))
              || compare.tolerance().keySet().stream().anyMatch(p -> isAtOrBelow(pointer, p))
              || (!compare.only().isEmpty()
                  && compare.only().stream().noneMatch(only -> isAtOrBelow(pointer, only)));
      if (inexact) {
        problems.add(
            pointer.equals(field) ? "field" : "by",
            "'" + pointer + "', which is not compared exactly",
            "a pointer outside compare.ignore and compare.tolerance, and inside compare.only",
            "Compare it, or do not sum it.");
      }
    }
    return problems.found();
  }

  private static boolean isAtOrBelow(String pointer, String pattern) {
    String[] segments = pointer.split("/", -1);
    String[] wanted = pattern.split("/", -1);
    boolean below = wanted.length <= segments.length;
    for (int i = 0; below && i < wanted.length; i++) {
      below = wanted[i].equals("*") || wanted[i].equals(segments[i]);
    }
    return below;
  }
}
