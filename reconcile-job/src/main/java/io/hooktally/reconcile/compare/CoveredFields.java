package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The top-level fields a comparison of list rows vouches for: those the list carries, without those
 * that only the list has (a single read of the same entity lacks them). Not thread-safe.
 */
public final class CoveredFields {
  // A list with ever new names of fields is compared row by row, without being remembered.
  private static final int MOST = 1000;

  private final Set<String> listed = new TreeSet<>();
  private final Set<String> onlyListed = new TreeSet<>();

  /**
   * Learns from an entity that was listed and read: what the read lacks, the replica cannot have.
   */
  public void learn(JsonNode row, JsonNode read) {
    row.properties()
        .forEach(
            field -> {
              if (!field.getValue().isNull() && !read.has(field.getKey())) {
                onlyListed.add(field.getKey());
              }
            });
  }

  /** The fields to compare on this row; ones other rows have and this one lacks count as null. */
  public Collection<String> of(JsonNode row) {
    row.fieldNames()
        .forEachRemaining(
            name -> {
              if (listed.size() < MOST) {
                listed.add(name);
              }
            });
    Set<String> fields = new TreeSet<>(listed);
    row.fieldNames().forEachRemaining(fields::add);
    fields.removeAll(onlyListed);
    return fields;
  }

  /** What has been vouched for so far, sorted, without the ignored ones. */
  public List<String> covered(Collection<String> ignored) {
    List<String> covered = new ArrayList<>(listed);
    covered.removeAll(onlyListed);
    covered.removeIf(name -> ignored.contains("/" + name));
    return covered;
  }
}
