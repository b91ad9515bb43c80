package io.hooktally.reconcile.compare;

import io.hooktally.reconcile.RunContext;
import io.hooktally.reconcile.source.CompareConfig;
import io.hooktally.reconcile.source.CompareDepth;
import java.util.ArrayList;
import java.util.List;

/** Says in sentences what a run did not look at: what its report does not vouch for. */
public final class NotCovered {
  private static final int MOST_NAMES = 30;

  private NotCovered() {}

  /** Of a run that has listed its window. */
  public static List<String> of(RunContext run) {
    List<String> said = new ArrayList<>();
    CompareConfig compare = run.type().compare();
    if (!run.run().reason().text().equals("sweep")) {
      said.add(
          "Entities last modified before "
              + run.window().from()
              + ": neither their content nor whether they were deleted. A sweep looks at those.");
    }
    if (!run.openEnd()) {
      said.add("What changed at or after " + run.window().to() + ": it belongs to later windows.");
    }
    if (compare.depth() == CompareDepth.LIST) {
      said.add("What the source's list does not carry, such as positions: compare.depth is list.");
    }
    names(said, compare.ignore(), "(compare.ignore).");
    if (!compare.only().isEmpty()) {
      said.add("Anything but " + joined(compare.only()) + " (compare.only).");
    }
    names(
        said,
        run.fields().onlyListed().stream().map(name -> "/" + name).toList(),
        ": the list has it and a single read does not, so that the replica cannot.");
    compare
        .tolerance()
        .forEach(
            (pointer, most) ->
                said.add(
                    pointer
                        + " where it differs by at most "
                        + most.toPlainString()
                        + " (compare.tolerance)."));
    names(said, compare.sets(), "as far as order is concerned (compare.sets).");
    return said;
  }

  private static void names(List<String> said, List<String> pointers, String why) {
    if (!pointers.isEmpty()) {
      said.add(joined(pointers) + (why.startsWith(":") ? "" : " ") + why);
    }
  }

  private static String joined(List<String> names) {
    return names.size() <= MOST_NAMES
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST_NAMES))
            + " and "
            + (names.size() - MOST_NAMES)
            + " more";
  }
}
