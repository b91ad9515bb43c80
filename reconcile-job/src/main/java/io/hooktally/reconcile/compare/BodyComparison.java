package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.hooktally.reconcile.source.CompareConfig;
import io.hooktally.reconcile.source.CompareDepth;
import io.hooktally.store.replica.Alteration;
import io.hooktally.store.replica.CanonicalJson;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.run.Difference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the replica's body with the source's by value: numbers whatever their notation and
 * without doubles, times recognised by their form and compared as instants, null and a missing key
 * alike (unless configured otherwise), objects in any order of keys, arrays in order unless they
 * are configured as sets. A number and a text are different, and so are null and an empty text.
 * Pure and thread-safe.
 */
public final class BodyComparison {
  private static final int MOST_DIFFERENCES = 20;
  private static final int LONGEST_VALUE = 200;

  /** The place of a value; written out only where something differs. */
  private record Place(@Nullable Place above, String segment) {
    Place below(String next) {
      return new Place(this, next);
    }

    String pointer() {
      return above == null
          ? ""
          : above.pointer() + "/" + segment.replace("~", "~0").replace("/", "~1");
    }
  }

  private static final Place ROOT = new Place(null, "");

  private final FieldRules root;
  private final boolean restricted;
  private final boolean nullIsMissing;
  private final boolean wholeBodies;

  /** As configured for an entity type. */
  public BodyComparison(CompareConfig config) {
    this.root = FieldRules.of(config);
    this.restricted = !config.only().isEmpty();
    this.nullIsMissing = config.nullIsMissing();
    this.wholeBodies =
        config.depth() == CompareDepth.AGGREGATE
            && config.ignore().isEmpty()
            && config.only().isEmpty()
            && config.tolerance().isEmpty();
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
    List<Difference> found = compare(ours, theirs, fields);
    // Equal as it came is equal altered: the replica holds nothing that would be replaced.
    return found.isEmpty() ? found : compare(ours, Alteration.of(theirs).body(), fields);
  }

  /** The same over all fields that either side has. */
  public List<Difference> differences(JsonNode ours, JsonNode theirs) {
    List<Difference> found = compare(ours, theirs, null);
    return found.isEmpty() ? found : compare(ours, Alteration.of(theirs).body(), null);
  }

  /**
   * The same for a row of the replica. At depth {@code aggregate} a row whose body had to be
   * altered must also have the original's hash, where everything is compared: what was replaced
   * cannot be told apart any more.
   */
  public List<Difference> differences(Entity ours, JsonNode theirs) {
    JsonNode body = ours.body() == null ? NullNode.getInstance() : ours.body();
    List<Difference> found = differences(body, theirs);
    if (found.isEmpty() && wholeBodies && ours.altered()) {
      String hash = CanonicalJson.hash(theirs);
      if (!hash.equals(ours.bodyHash())) {
        return List.of(new Difference("", "hash " + ours.bodyHash(), "hash " + hash));
      }
    }
    return found;
  }

  private List<Difference> compare(
      JsonNode ours, JsonNode theirs, @Nullable Collection<String> fields) {
    List<Difference> found = new ArrayList<>();
    if (fields == null) {
      compare(ROOT, root, !restricted || root.only(), ours, theirs, found);
    } else {
      for (String field : fields) {
        step(ROOT, root, !restricted || root.only(), field, ours, theirs, found);
      }
    }
    found.sort(Comparator.comparing(Difference::pointer));
    return found;
  }

  // One key of two objects. What the configuration leaves out is left out here.
  private void step(
      Place at,
      FieldRules rules,
      boolean wanted,
      String name,
      JsonNode ours,
      JsonNode theirs,
      List<Difference> found) {
    FieldRules below = rules.down(name);
    boolean wantedBelow = wanted || below.only();
    if (below.ignored() || !(wantedBelow || below.leadsToOnly())) {
      return;
    }
    JsonNode left = value(ours, name);
    JsonNode right = value(theirs, name);
    if (wantedBelow && !left.isContainerNode() && !right.isContainerNode()) {
      if (!sameScalar(below, left, right)) {
        add(at.below(name), left, right, found);
      }
    } else {
      compare(at.below(name), below, wantedBelow, left, right, found);
    }
  }

  private void compare(
      Place at,
      FieldRules rules,
      boolean wanted,
      JsonNode ours,
      JsonNode theirs,
      List<Difference> found) {
    if (found.size() >= MOST_DIFFERENCES) {
      return;
    }
    if (ours.isObject() && theirs.isObject()) {
      for (String name : names(ours, theirs)) {
        step(at, rules, wanted, name, ours, theirs, found);
      }
    } else if (ours.isArray() && theirs.isArray()) {
      arrays(at, rules, wanted, ours, theirs, found);
    } else if (!wanted) {
      parts(at, rules, ours, theirs, found);
    } else if (!sameScalar(rules, ours, theirs)) {
      add(at, ours, theirs, found);
    }
  }

  private void arrays(
      Place at,
      FieldRules rules,
      boolean wanted,
      JsonNode ours,
      JsonNode theirs,
      List<Difference> found) {
    if (rules.set()) {
      if (!sameSet(rules, wanted, ours, theirs)) {
        add(at, ours, theirs, found);
      }
    } else if (ours.size() != theirs.size()) {
      add(at, ours, theirs, found);
    } else {
      for (int i = 0; i < ours.size(); i++) {
        FieldRules below = rules.down(i);
        boolean wantedBelow = wanted || below.only();
        if (!below.ignored() && (wantedBelow || below.leadsToOnly())) {
          Place place = at.below(Integer.toString(i));
          compare(place, below, wantedBelow, ours.get(i), theirs.get(i), found);
        }
      }
    }
  }

  // Each element of ours takes an equal one of theirs away. Quadratic only where orders differ.
  private boolean sameSet(FieldRules rules, boolean wanted, JsonNode ours, JsonNode theirs) {
    if (ours.size() != theirs.size()) {
      return false;
    }
    List<JsonNode> left = new ArrayList<>();
    theirs.forEach(left::add);
    for (int i = 0; i < ours.size(); i++) {
      FieldRules below = rules.down(i);
      boolean wantedBelow = wanted || below.only();
      JsonNode one = ours.get(i);
      int match = -1;
      for (int j = 0; j < left.size() && match < 0; j++) {
        List<Difference> found = new ArrayList<>();
        compare(ROOT, below, wantedBelow, one, left.get(j), found);
        match = found.isEmpty() ? j : -1;
      }
      if (match < 0) {
        return false;
      }
      left.remove(match);
    }
    return true;
  }

  // compare.only names something further down, and one side has no container here.
  private void parts(
      Place at, FieldRules rules, JsonNode ours, JsonNode theirs, List<Difference> found) {
    JsonNode container = ours.isContainerNode() ? ours : theirs;
    if (container.isObject()) {
      for (String name : names(ours, theirs)) {
        step(at, rules, false, name, ours, theirs, found);
      }
    } else if (container.isArray() && !container.isEmpty()) {
      add(at, ours, theirs, found);
    }
  }

  private boolean sameScalar(FieldRules rules, JsonNode ours, JsonNode theirs) {
    return Scalars.same(rules, blank(ours), blank(theirs));
  }

  // Null and missing are one, unless they are told apart.
  private JsonNode blank(JsonNode node) {
    return nullIsMissing && node.isMissingNode() ? NullNode.getInstance() : node;
  }

  private void add(Place at, JsonNode ours, JsonNode theirs, List<Difference> found) {
    if (found.size() < MOST_DIFFERENCES) {
      found.add(new Difference(at.pointer(), shortened(ours), shortened(theirs)));
    }
  }

  private static Set<String> names(JsonNode ours, JsonNode theirs) {
    Set<String> names = new TreeSet<>();
    ours.fieldNames().forEachRemaining(names::add);
    theirs.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static JsonNode value(JsonNode object, String name) {
    JsonNode value = object.get(name);
    return value == null ? MissingNode.getInstance() : value;
  }

  private String shortened(JsonNode node) {
    String missing = nullIsMissing ? "null" : "missing";
    String text = node.isMissingNode() ? missing : node.toString();
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
