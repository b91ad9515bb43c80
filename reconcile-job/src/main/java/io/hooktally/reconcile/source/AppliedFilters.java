package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Sees to it that a source applied the filters it was asked to apply. */
final class AppliedFilters {
  private final ListConfig list;
  private final ListRequest wanted;
  private final boolean range;
  private final Pointers shown;
  private final Set<String> rangeKeys = new HashSet<>();

  AppliedFilters(ListConfig list, ListRequest wanted) {
    this.list = list;
    this.wanted = wanted;
    this.range = wanted.isRange(list);
    this.shown = new Pointers(list.filter());
    if (range) {
      rangeKeys.add(list.toParam());
      if (wanted.from() != null) {
        rangeKeys.add(list.fromParam());
      }
    }
  }

  /** Whether a row of that time may stand in the answer. */
  boolean admit(Instant time) {
    return !range || wanted.isAskedFor(time);
  }

  /**
   * The first filter that the answer does not show as applied, where it is configured to show them.
   * Of ranges only the keys are looked at: times may be written another way.
   */
  Optional<String> ignored(JsonNode body) {
    if (list.filter().isEmpty()) {
      return Optional.empty();
    }
    JsonNode filter = shown.find(body, JsonNode::isObject);
    return rangeKeys.stream()
        .filter(key -> !filter.hasNonNull(key))
        .findFirst()
        .or(
            () ->
                list.query().entrySet().stream()
                    .filter(query -> !filter.path(query.getKey()).asText().equals(query.getValue()))
                    .map(java.util.Map.Entry::getKey)
                    .findFirst());
  }
}
