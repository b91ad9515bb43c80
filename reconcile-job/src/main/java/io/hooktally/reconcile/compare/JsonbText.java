package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a body the way PostgreSQL prints {@code jsonb}, so that a row that agrees is recognised
 * without parsing the replica's side. Equal texts say that the values are equal; different ones say
 * nothing (another notation of a number or a time, other digits, another order of unusual keys),
 * and the bodies are compared. Pure and thread-safe.
 */
final class JsonbText {
  // Shorter keys stand first. By bytes, which for all but unusual keys is by characters.
  private static final Comparator<Map.Entry<String, JsonNode>> ORDER =
      (left, right) -> {
        int lengths = left.getKey().length() - right.getKey().length();
        return lengths != 0 ? lengths : left.getKey().compareTo(right.getKey());
      };
  private static final int MOST_DIGITS = 400;

  private JsonbText() {}

  /** The text without these top-level fields; null where it is not worth writing. */
  static @Nullable String of(JsonNode body, Collection<String> without) {
    StringBuilder out = new StringBuilder(1024);
    return body.isObject() && object(body, without, out) ? out.toString() : null;
  }

  private static boolean write(JsonNode node, StringBuilder out) {
    switch (node.getNodeType()) {
      case OBJECT -> {
        return object(node, List.of(), out);
      }
      case ARRAY -> {
        return array(node, out);
      }
      case NUMBER -> {
        return number(node, out);
      }
      case STRING -> string(node.textValue(), out);
      case BOOLEAN -> out.append(node.booleanValue());
      default -> out.append("null");
    }
    return true;
  }

  private static boolean object(JsonNode node, Collection<String> without, StringBuilder out) {
    List<Map.Entry<String, JsonNode>> fields = new ArrayList<>(node.properties());
    fields.sort(ORDER);
    out.append('{');
    int start = out.length();
    for (Map.Entry<String, JsonNode> field : fields) {
      if (without.contains(field.getKey())) {
        continue;
      }
      if (out.length() > start) {
        out.append(", ");
      }
      string(field.getKey(), out);
      out.append(": ");
      if (!write(field.getValue(), out)) {
        return false;
      }
    }
    out.append('}');
    return true;
  }

  private static boolean array(JsonNode node, StringBuilder out) {
    out.append('[');
    String comma = "";
    for (JsonNode element : node) {
      out.append(comma);
      if (!write(element, out)) {
        return false;
      }
      comma = ", ";
    }
    out.append(']');
    return true;
  }

  private static boolean number(JsonNode node, StringBuilder out) {
    if (node.isInt() || node.isLong()) {
      out.append(node.longValue());
      return true;
    }
    BigDecimal value = node.decimalValue();
    if (Math.abs((long) value.scale()) + value.precision() > MOST_DIGITS) {
      return false;
    }
    out.append(value.toPlainString());
    return true;
  }

  private static void string(String text, StringBuilder out) {
    out.append('"');
    int done = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\') {
        continue;
      }
      out.append(text, done, i);
      done = i + 1;
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> out.append("\\u%04x".formatted((int) c));
      }
    }
    out.append(text, done, text.length()).append('"');
  }
}
