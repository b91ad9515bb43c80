package io.hooktally.service;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;

/** YAML text as a tree. A key with nothing behind it counts as not written. */
final class YamlTree {
  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory()).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private YamlTree() {}

  /**
   * Reads one document; an empty one is an empty section.
   *
   * @throws JsonProcessingException when it is no YAML, has a key twice or is not made of keys
   */
  static ObjectNode read(InputStream input) throws IOException {
    JsonNode node = YAML.readTree(input);
    if (node == null || node.isMissingNode() || node.isNull()) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (node instanceof ObjectNode root) {
      dropNulls(root);
      return root;
    }
    throw new NotKeysException();
  }

  private static void dropNulls(JsonNode node) {
    if (node instanceof ObjectNode section) {
      section.properties().removeIf(entry -> entry.getValue().isNull());
    } else if (node instanceof ArrayNode list) {
      Iterator<JsonNode> items = list.iterator();
      while (items.hasNext()) {
        if (items.next().isNull()) {
          items.remove();
        }
      }
    }
    node.forEach(YamlTree::dropNulls);
  }

  /** The document is a list or a single value. */
  static final class NotKeysException extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
