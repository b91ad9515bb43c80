package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Recognises a body in the way PostgreSQL prints {@code jsonb}, so that a row that agrees is known
 * without parsing the replica's side. A match says that the values are equal; no match says nothing
 * (another notation of a number or a time, unusual keys), and the bodies are compared. Rows mostly
 * have the same keys in the same order: how {@code jsonb} orders them is remembered per place. Not
 * thread-safe.
 */
final class JsonbMatch {
  // Shorter keys stand first. By bytes, which for all but unusual keys is by characters.
  private static final Comparator<String> ORDER =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());
  private static final int MOST_DIGITS = 400;
  private static final int MOST_PLACES = 200;

  /** The keys of an object as they came, and in the order and the bytes of {@code jsonb}. */
  private static final class Shape {
    private final List<String> names;
    private final int[] order;
    private final byte[][] keys;
    // A quote in a key could spell what stands behind it.
    private final boolean plain;

    Shape(List<String> names) {
      this.names = names;
      this.order =
          IntStream.range(0, names.size())
              .boxed()
              .sorted(Comparator.comparing(names::get, ORDER))
              .mapToInt(Integer::intValue)
              .toArray();
      this.plain =
          names.stream()
              .allMatch(name -> name.chars().allMatch(c -> c >= ' ' && c != '"' && c != '\\'));
      this.keys = new byte[names.size()][];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = (names.get(i) + "\": ").getBytes(StandardCharsets.UTF_8);
      }
    }

    /** The values of an object of this shape; null where it is of another. */
    JsonNode @Nullable [] values(JsonNode node) {
      if (node.size() != names.size()) {
        return null;
      }
      JsonNode[] values = new JsonNode[names.size()];
      int i = 0;
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        if (!field.getKey().equals(names.get(i))) {
          return null;
        }
        values[i++] = field.getValue();
      }
      return values;
    }
  }

  private final Map<String, Shape> shapes = new HashMap<>();
  private byte[] text = {};
  private int at;

  /**
   * Whether the text says the same as the body.
   *
   * @param ours UTF-8 as {@code jsonb} prints it
   * @param onlyListed top-level fields of the body that the text lacks
   * @param onlyOurs top-level fields of the text that the body lacks
   */
  boolean matches(
      JsonNode body, byte[] ours, Collection<String> onlyListed, Collection<String> onlyOurs) {
    text = ours;
    at = 0;
    return body.isObject() && object(body, "", onlyListed, onlyOurs) && at == text.length;
  }

  private boolean value(JsonNode node, String place) {
    return switch (node.getNodeType()) {
      case OBJECT -> object(node, place, List.of(), List.of());
      case ARRAY -> array(node, place);
      case NUMBER -> number(node);
      case STRING -> string(node.textValue());
      case BOOLEAN -> plain(node.booleanValue() ? "true" : "false");
      default -> plain("null");
    };
  }

  private boolean object(
      JsonNode node, String place, Collection<String> without, Collection<String> onlyOurs) {
    Shape shape = shapes.get(place);
    JsonNode[] values = shape == null ? null : shape.values(node);
    if (shape == null || values == null) {
      shape = learn(node, place);
      values = shape.values(node);
    }
    if (values == null || !shape.plain || !plain("{")) {
      return false;
    }
    boolean first = true;
    for (int i : shape.order) {
      String name = shape.names.get(i);
      if (!without.isEmpty() && without.contains(name)) {
        continue;
      }
      if (!key(shape.keys[i], first)) {
        first = skip(onlyOurs, first);
        if (!key(shape.keys[i], first)) {
          return false;
        }
      }
      first = false;
      if (!value(values[i], name)) {
        return false;
      }
    }
    skip(onlyOurs, first);
    return plain("}");
  }

  private Shape learn(JsonNode node, String place) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    Shape shape = new Shape(names);
    if (shapes.size() < MOST_PLACES || shapes.containsKey(place)) {
      shapes.put(place, shape);
    }
    return shape;
  }

  /** Passes over a key and what stands before it, or over nothing. */
  private boolean key(byte[] key, boolean first) {
    int quote = first ? at : at + 2;
    int end = quote + 1 + key.length;
    boolean found =
        end <= text.length
            && text[quote] == '"'
            && (first || (text[at] == ',' && text[at + 1] == ' '))
            && Arrays.equals(text, quote + 1, end, key, 0, key.length);
    at = found ? end : at;
    return found;
  }

  // Passes over fields that only the text has; answers whether the next one is still the first.
  private boolean skip(Collection<String> names, boolean first) {
    boolean before = first;
    boolean again = !names.isEmpty();
    while (again) {
      again = false;
      for (String name : names) {
        if (key((name + "\": ").getBytes(StandardCharsets.UTF_8), before)) {
          passValue();
          before = false;
          again = true;
        }
      }
    }
    return before;
  }

  // To the comma or bracket behind a value of well-formed text.
  private void passValue() {
    int depth = 0;
    boolean quoted = false;
    for (; at < text.length; at++) {
      byte b = text[at];
      if (quoted) {
        if (b == '\\') {
          at++;
        } else if (b == '"') {
          quoted = false;
        }
      } else if (b == '"') {
        quoted = true;
      } else if (b == '{' || b == '[') {
        depth++;
      } else if (b == '}' || b == ']') {
        if (depth-- == 0) {
          return;
        }
      } else if (b == ',' && depth == 0) {
        return;
      }
    }
  }

  private boolean array(JsonNode node, String place) {
    if (!plain("[")) {
      return false;
    }
    boolean first = true;
    for (JsonNode element : node) {
      if (!(first || plain(", ")) || !value(element, place)) {
        return false;
      }
      first = false;
    }
    return plain("]");
  }

  private boolean number(JsonNode node) {
    if (node.isInt() || node.isLong()) {
      return plain(Long.toString(node.longValue()));
    }
    BigDecimal value = node.decimalValue();
    return Math.abs((long) value.scale()) + value.precision() <= MOST_DIGITS
        && plain(value.toPlainString());
  }

  /** ASCII, as it is. */
  private boolean plain(String expected) {
    int length = expected.length();
    if (at + length > text.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (text[at + i] != expected.charAt(i)) {
        return false;
      }
    }
    at += length;
    return true;
  }

  // What has to be escaped is left to the comparison: a quote that matched would end the string.
  private boolean string(String expected) {
    byte[] in = text;
    int length = expected.length();
    int to = at;
    // No character takes less than a byte, and three are the most that are taken at a time.
    if (to + length + 2 > in.length || in[to++] != '"') {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = expected.charAt(i);
      if (c < 0x80) {
        if (c < ' ' || c == '"' || c == '\\' || to >= in.length || in[to++] != c) {
          return false;
        }
      } else if (Character.isSurrogate(c) || to + 3 > in.length) {
        return false;
      } else if (c < 0x800) {
        if (in[to++] != (byte) (0xC0 | (c >> 6)) || in[to++] != (byte) (0x80 | (c & 0x3F))) {
          return false;
        }
      } else if (in[to++] != (byte) (0xE0 | (c >> 12))
          || in[to++] != (byte) (0x80 | ((c >> 6) & 0x3F))
          || in[to++] != (byte) (0x80 | (c & 0x3F))) {
        return false;
      }
    }
    if (to >= in.length || in[to] != '"') {
      return false;
    }
    at = to + 1;
    return true;
  }
}
