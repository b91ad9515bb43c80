package io.hooktally.reconcile.source;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.function.Predicate;

/** Pointers tried in order. Immutable. */
final class Pointers {
  private final List<JsonPointer> pointers;

  Pointers(List<String> pointers) {
    this.pointers = pointers.stream().map(JsonPointer::compile).toList();
  }

  /** The first that points at something other than null, or a missing node. */
  JsonNode find(JsonNode in) {
    for (JsonPointer pointer : pointers) {
      JsonNode found = in.at(pointer);
      if (!found.isMissingNode() && !found.isNull()) {
        return found;
      }
    }
    return MissingNode.getInstance();
  }

  /** The first that points at something wanted, or a missing node. */
  JsonNode find(JsonNode in, Predicate<JsonNode> wanted) {
    for (JsonPointer pointer : pointers) {
      JsonNode found = in.at(pointer);
      if (wanted.test(found)) {
        return found;
      }
    }
    return MissingNode.getInstance();
  }

  /** Whether there is none. */
  boolean isEmpty() {
    return pointers.isEmpty();
  }

  /** Whether each points at a field of the object itself. */
  boolean areTopLevel() {
    return pointers.stream().allMatch(pointer -> !pointer.matches() && pointer.tail().matches());
  }

  /** The names of the fields that {@linkplain #areTopLevel top-level} pointers point at. */
  List<String> names() {
    return pointers.stream().map(JsonPointer::getMatchingProperty).toList();
  }

  /** As they are written. */
  List<String> texts() {
    return pointers.stream().map(JsonPointer::toString).toList();
  }

  @Override
  public String toString() {
    return pointers.toString();
  }
}
