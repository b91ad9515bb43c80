package io.hooktally.service.receive;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.hooktally.reconcile.source.EntityIds;
import io.hooktally.service.receive.ReceivingSource.Named;
import io.hooktally.store.ContentEncoding;
import io.hooktally.store.InvalidJsonException;
import io.hooktally.store.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds event id and topic in bodies, for sources that send no header with the id. Immutable. */
final class BodyFacts {
  private final List<JsonPointer> ids;
  private final List<JsonPointer> topics;

  BodyFacts(List<String> ids, List<String> topics) {
    this.ids = ids.stream().map(JsonPointer::compile).toList();
    this.topics = topics.stream().map(JsonPointer::compile).toList();
  }

  /**
   * Nothing where the body is no JSON, or has no id.
   *
   * @param encoding its {@code Content-Encoding}
   */
  Optional<Named> read(@Nullable String encoding, byte[] body) {
    try {
      JsonNode tree = Json.parse(ContentEncoding.decode(encoding, body));
      String id = EntityIds.text(find(tree, ids, node -> EntityIds.text(node) != null));
      return id == null
          ? Optional.empty()
          : Optional.of(new Named(id, find(tree, topics, JsonNode::isTextual).textValue()));
    } catch (InvalidJsonException e) {
      return Optional.empty();
    }
  }

  private static JsonNode find(
      JsonNode tree, List<JsonPointer> pointers, Predicate<JsonNode> wanted) {
    return pointers.stream()
        .map(tree::at)
        .filter(wanted)
        .findFirst()
        .orElse(MissingNode.getInstance());
  }
}
