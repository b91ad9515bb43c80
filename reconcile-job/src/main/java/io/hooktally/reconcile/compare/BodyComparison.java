package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.hooktally.reconcile.source.SourceTime;
import io.hooktally.store.replica.Alteration;
import io.hooktally.store.run.Difference;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares the replica's body with the source's by value: numbers whatever their notation and
 * without doubles, times recognised by their form and compared as instants, null and a missing key
 * alike, objects in any order of keys, arrays in order. A number and a text are different, and so
 * are null and an empty text. Pure and thread-safe.
 */
public final class BodyComparison {
  private static final int MOST_DIFFERENCES = 20;
  private static final int LONGEST_VALUE = 200;

  private final Set<String> ignored;

  /** Leaves out what stands at these pointers and below. */
  public BodyComparison(Collection<String> ignored) {
    this.ignored = Set.copyOf(ignored);
  }

  /**
   * The fields on which they differ, at most 20 of them; none when they say the same.
   *
   * @param ours the replica's body
   * @param theirs the source's, as it came; what {@code jsonb} refuses is replaced as in the
   *     replica
   * @param fields the top-level fields to look at
   */
  public List<Difference> differences(JsonNode ours, JsonNode theirs, Collection<String> fields) {
    JsonNode altered = Alteration.of(theirs).body();
    List<Difference> found = new ArrayList<>();
    for (String field : new TreeSet<>(fields)) {
      compare(pointer("", field), value(ours, field), value(altered, field), found);
    }
    return found;
  }

  /** The same over all fields that either side has. */
  public List<Difference> differences(JsonNode ours, JsonNode theirs) {
    return differences(ours, theirs, names(ours, Alteration.of(theirs).body()));
  }

  private void compare(String at, JsonNode ours, JsonNode theirs, List<Difference> found) {
    if (found.size() >= MOST_DIFFERENCES || ignored.contains(at)) {
      return;
    }
    if (ours.isObject() && theirs.isObject()) {
      for (String name : names(ours, theirs)) {
        compare(pointer(at, name), value(ours, name), value(theirs, name), found);
      }
    } else if (ours.isArray() && theirs.isArray() && ours.size() == theirs.size()) {
      for (int i = 0; i < ours.size(); i++) {
        compare(at + "/" + i, ours.get(i), theirs.get(i), found);
      }
    } else if (!sameScalar(ours, theirs)) {
      found.add(new Difference(at, shortened(ours), shortened(theirs)));
    }
  }

  private static boolean sameScalar(JsonNode ours, JsonNode theirs) {
    if (ours.isNumber() && theirs.isNumber()) {
      BigDecimal left = ours.decimalValue();
      return left.compareTo(theirs.decimalValue()) == 0;
    }
    if (ours.isTextual() && theirs.isTextual()) {
      return ours.textValue().equals(theirs.textValue())
          || sameInstant(ours.textValue(), theirs.textValue());
    }
    return !ours.isContainerNode() && !theirs.isContainerNode() && ours.equals(theirs);
  }

  private static boolean sameInstant(String ours, String theirs) {
    Optional<Instant> left = SourceTime.read(ours);
    return left.isPresent() && left.equals(SourceTime.read(theirs));
  }

  private static Set<String> names(JsonNode ours, JsonNode theirs) {
    Set<String> names = new TreeSet<>();
    ours.fieldNames().forEachRemaining(names::add);
    theirs.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static JsonNode value(JsonNode object, String name) {
    JsonNode value = object.get(name);
    return value == null ? NullNode.getInstance() : value;
  }

  private static String pointer(String at, String name) {
    return at + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  private static String shortened(JsonNode node) {
    String text = node.toString();
    if (text.length() <= LONGEST_VALUE) {
      return text;
    }
    // Not in the middle of a character.
    int end =
        Character.isHighSurrogate(text.charAt(LONGEST_VALUE - 1))
            ? LONGEST_VALUE - 1
            : LONGEST_VALUE;
    return text.substring(0, end) + "…";
  }
}
