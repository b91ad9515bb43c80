package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * One row of a list.
 *
 * @param id the entity's id in text form
 * @param modified its modified time, or its created time where it was never modified
 * @param body the row as the list shows it
 */
public record ListedRow(String id, Instant modified, JsonNode body) {
  /** Whether both show one entity at one modified time. */
  boolean sameAs(ListedRow other) {
    return id.equals(other.id) && modified.equals(other.modified);
  }
}
