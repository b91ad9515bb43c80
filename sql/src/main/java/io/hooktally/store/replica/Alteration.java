package io.hooktally.store.replica;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Makes a body that {@code jsonb} takes: {@code \\u0000} and half surrogates become U+FFFD, in keys
 * too, and numbers that do not fit become text. The raw payload stays the truth; the comparison
 * alters the source's side alike. Pure and thread-safe.
 *
 * @param body the body as the database takes it; the original where nothing had to change
 * @param altered whether anything had to change
 */
// The same node means unchanged: comparing values would walk every tree twice.
@SuppressWarnings("ReferenceEquality")
public record Alteration(JsonNode body, boolean altered) {
  /**
   * Numbers with more digits than this in plain notation become text. The database would take up to
   * 131,072 digits before the point, and print them all: a few bytes such as 1e131071 would grow
   * ten-thousandfold at every read.
   */
  static final int MOST_DIGITS = 400;

  private static final char REPLACEMENT = '\uFFFD';

  /** What the database can hold of {@code original}. */
  public static Alteration of(JsonNode original) {
    JsonNode altered = alter(original);
    return new Alteration(altered, altered != original);
  }

  // Answers the very same node where nothing had to change.
  private static JsonNode alter(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> object(node);
      case ARRAY -> array(node);
      case STRING -> {
        String text = clean(node.textValue());
        yield text.equals(node.textValue()) ? node : TextNode.valueOf(text);
      }
      case NUMBER ->
          fits(node) ? node : TextNode.valueOf(CanonicalJson.number(node.decimalValue()));
      default -> node;
    };
  }

  private static JsonNode object(JsonNode node) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    boolean changed = false;
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String name = clean(field.getKey());
      JsonNode value = alter(field.getValue());
      changed |= value != field.getValue() || !name.equals(field.getKey());
      copy.set(name, value);
    }
    return changed ? copy : node;
  }

  private static JsonNode array(JsonNode node) {
    ArrayNode copy = JsonNodeFactory.instance.arrayNode(node.size());
    boolean changed = false;
    for (JsonNode element : node) {
      JsonNode value = alter(element);
      changed |= value != element;
      copy.add(value);
    }
    return changed ? copy : node;
  }

  private static boolean fits(JsonNode node) {
    if (node.isInt() || node.isLong()) {
      return true;
    }
    BigDecimal value = node.decimalValue();
    long before = (long) value.precision() - value.scale();
    return Math.max(before, 0L) + Math.max(value.scale(), 0) <= MOST_DIGITS;
  }

  private static String clean(String text) {
    StringBuilder cleaned = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        cleaned = cleaned == null ? new StringBuilder(text) : cleaned;
        cleaned.setCharAt(i, REPLACEMENT);
      }
    }
    return cleaned == null ? text : cleaned.toString();
  }
}
