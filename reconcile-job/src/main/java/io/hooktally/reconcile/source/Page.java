package io.hooktally.reconcile.source;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list, in itself in order.
 *
 * @param offset the position of its first row
 * @param limit how many positions it covers, by the source's echo
 * @param rows newest first; fewer than {@code limit} where rows were filtered out, or at the end
 * @param hasMore whether rows follow, where the source says so
 * @param total how many rows there are, where the source says so
 */
record Page(
    long offset, int limit, List<ListedRow> rows, @Nullable Boolean hasMore, @Nullable Long total) {
  boolean isEmpty() {
    return rows.isEmpty();
  }

  int size() {
    return rows.size();
  }

  ListedRow first() {
    return rows.get(0);
  }

  ListedRow last() {
    return rows.get(rows.size() - 1);
  }

  /** Whether the source says that nothing follows; null: it does not say. */
  @Nullable Boolean saysEnd() {
    if (hasMore != null) {
      return !hasMore;
    }
    return total == null ? null : offset + size() >= total;
  }

  boolean agreesWithTotal() {
    return total == null || offset + size() == total;
  }

  /** The first row that is as old as {@code time} or older; {@link #size} when none is. */
  int indexNotAfter(Instant time) {
    int i = 0;
    while (i < rows.size() && rows.get(i).sortedBy().isAfter(time)) {
      i++;
    }
    return i;
  }

  int indexOf(ListedRow row) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).sameAs(row)) {
        return i;
      }
    }
    return -1;
  }
}
