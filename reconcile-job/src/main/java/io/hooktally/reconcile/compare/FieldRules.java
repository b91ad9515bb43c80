package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.core.JsonPointer;
import io.hooktally.reconcile.source.CompareConfig;
import io.hooktally.reconcile.source.TimeNotation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says of each place in a body, walked down beside the bodies. A segment
 * {@code *} stands for any one key or index. Immutable once built; thread-safe.
 */
final class FieldRules {
  /** Of places that no pointer names, and of all below them. */
  private static final FieldRules NONE = new FieldRules();

  private final Map<String, FieldRules> children = new HashMap<>();
  private @Nullable FieldRules any;
  private boolean ignored;
  private boolean only;
  private boolean set;
  private @Nullable BigDecimal tolerance;
  private @Nullable TimeNotation time;

  private FieldRules() {}

  /** As configured, at the root of a body. */
  static FieldRules of(CompareConfig config) {
    FieldRules root = new FieldRules();
    config.ignore().forEach(pointer -> root.at(pointer, rules -> rules.ignored = true));
    config.only().forEach(pointer -> root.at(pointer, rules -> rules.only = true));
    config.sets().forEach(pointer -> root.at(pointer, rules -> rules.set = true));
    config.tolerance().forEach((pointer, most) -> root.at(pointer, r -> r.tolerance = most));
    config.times().forEach((pointer, how) -> root.at(pointer, r -> r.time = TimeNotation.of(how)));
    return root;
  }

  private void at(String pointer, Consumer<FieldRules> change) {
    FieldRules rules = this;
    for (JsonPointer rest = JsonPointer.compile(pointer); !rest.matches(); rest = rest.tail()) {
      String segment = rest.getMatchingProperty();
      if (segment.equals("*")) {
        rules.any = rules.any == null ? new FieldRules() : rules.any;
        rules = rules.any;
      } else {
        rules = rules.children.computeIfAbsent(segment, name -> new FieldRules());
      }
    }
    change.accept(rules);
  }

  /** The rules one step further down. */
  FieldRules down(String segment) {
    FieldRules named = children.get(segment);
    if (named == null) {
      return any == null ? NONE : any;
    }
    return any == null ? named : named.with(any);
  }

  /** The same for an element of an array. */
  FieldRules down(int index) {
    return any == null && children.isEmpty() ? NONE : down(Integer.toString(index));
  }

  // Both a name and * lead here.
  private FieldRules with(FieldRules other) {
    FieldRules both = new FieldRules();
    for (FieldRules part : List.of(other, this)) {
      part.children.forEach((name, rules) -> both.children.merge(name, rules, (a, b) -> b.with(a)));
      both.any =
          both.any == null || part.any == null
              ? either(both.any, part.any)
              : part.any.with(both.any);
      both.ignored |= part.ignored;
      both.only |= part.only;
      both.set |= part.set;
      both.tolerance = either(part.tolerance, both.tolerance);
      both.time = either(part.time, both.time);
    }
    return both;
  }

  private static <T> @Nullable T either(@Nullable T first, @Nullable T second) {
    return first == null ? second : first;
  }

  boolean ignored() {
    return ignored;
  }

  /** Whether {@code compare.only} names this very place. */
  boolean only() {
    return only;
  }

  /** Whether {@code compare.only} names a place below. */
  boolean leadsToOnly() {
    List<FieldRules> below = new ArrayList<>(children.values());
    if (any != null) {
      below.add(any);
    }
    return below.stream().anyMatch(rules -> rules.only || rules.leadsToOnly());
  }

  /** Whether anything at a top-level field with these rules is compared. */
  boolean compares(CompareConfig config) {
    return !ignored && (config.only().isEmpty() || only || leadsToOnly());
  }

  boolean set() {
    return set;
  }

  @Nullable BigDecimal tolerance() {
    return tolerance;
  }

  @Nullable TimeNotation time() {
    return time;
  }
}
