package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.CompareConfig;
import io.hooktally.reconcile.source.CompareDepth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
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

  private final Set<String> listed = new HashSet<>();
  private final Set<String> onlyListed = new TreeSet<>();
  // What rows without a new name are compared on; rows mostly carry the same names.
  private List<String> known = List.of();
  private List<String> onlyRead = List.of();
  // Taken for fields of reads only, until a row had them: rows before were not compared on them.
  private final Set<String> late = new TreeSet<>();
  private List<String> last = List.of();
  private boolean lastHadTooMany;
  // Compared whole, at depth aggregate.
  private final Set<String> read = new TreeSet<>();

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
    Set<String> unlisted = new TreeSet<>();
    read.fieldNames().forEachRemaining(unlisted::add);
    row.fieldNames().forEachRemaining(unlisted::remove);
    unlisted.removeAll(listed);
    onlyRead = List.copyOf(unlisted);
    known = all();
  }

  /** The fields that a single read has and a list row lacks, as far as {@link #learn} saw. */
  List<String> onlyRead() {
    return onlyRead;
  }

  /** The fields that a list row has and a single read lacks. */
  Collection<String> notRead() {
    return onlyListed;
  }

  /** Remembers the names of a row's fields; answers whether there are too many to. */
  boolean note(JsonNode row) {
    if (hasSameNames(row)) {
      return lastHadTooMany;
    }
    boolean more = false;
    boolean tooMany = false;
    for (Iterator<String> names = row.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!listed.contains(name)) {
        tooMany |= listed.size() >= MOST;
        more |= listed.size() < MOST && listed.add(name);
      }
    }
    if (more) {
      late.addAll(onlyRead.stream().filter(listed::contains).toList());
      onlyRead = onlyRead.stream().filter(name -> !listed.contains(name)).toList();
      known = all();
    }
    last = names(row);
    lastHadTooMany = tooMany;
    return tooMany;
  }

  // Rows come with the same names mostly.
  private boolean hasSameNames(JsonNode row) {
    if (row.size() != last.size()) {
      return false;
    }
    int i = 0;
    for (Iterator<String> names = row.fieldNames(); names.hasNext(); ) {
      if (!names.next().equals(last.get(i++))) {
        return false;
      }
    }
    return true;
  }

  private static List<String> names(JsonNode row) {
    List<String> names = new ArrayList<>(row.size());
    row.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** The fields to compare on this row; ones other rows have and this one lacks count as null. */
  public Collection<String> of(JsonNode row) {
    boolean tooMany = note(row);
    if (!tooMany) {
      return known;
    }
    Set<String> fields = new TreeSet<>(known);
    row.fieldNames().forEachRemaining(fields::add);
    fields.removeAll(onlyListed);
    return fields;
  }

  /** Remembers the fields of an entity that was compared whole. */
  void noteRead(JsonNode body) {
    for (Iterator<String> names = body.fieldNames(); names.hasNext() && read.size() < MOST; ) {
      read.add(names.next());
    }
  }

  /** What has been vouched for so far, sorted, as far as the configuration compares it. */
  public List<String> covered(CompareConfig config) {
    FieldRules root = FieldRules.of(config);
    List<String> covered =
        new ArrayList<>(config.depth() == CompareDepth.AGGREGATE && !read.isEmpty() ? read : all());
    covered.removeIf(name -> !root.down(name).compares(config));
    if (config.depth() == CompareDepth.LIST) {
      covered.removeAll(late);
    }
    return covered;
  }

  /** The fields of the list that a single read lacks, sorted: they cannot be compared. */
  public List<String> onlyListed() {
    return List.copyOf(onlyListed);
  }

  private List<String> all() {
    Set<String> fields = new TreeSet<>(listed);
    fields.removeAll(onlyListed);
    return List.copyOf(fields);
  }
}
