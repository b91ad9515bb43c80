package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * One row of a list.
 *
 * @param id the entity's id in text form
 * @param modified its modified time, or its created time where it was never modified
 * @param sortedBy the time it was sorted by: {@code modified}, or its created time
 * @param text the row as the list shows it
 */
public record ListedRow(String id, Instant modified, Instant sortedBy, RowText text) {
  /** Whether both show one entity at one place of the order. */
  boolean sameAs(ListedRow other) {
    return id.equals(other.id) && sortedBy.equals(other.sortedBy);
  }

  /** The row as a tree, built anew at each call. */
  public JsonNode body() {
    return text.tree();
  }
}
