package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** The keys of an object as they came, and their places in the order of {@code jsonb}. */
  private record Shape(List<String> names, List<Integer> order) {
    static Shape of(List<String> names) {
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        order.add(i);
      }
      order.sort(Comparator.comparing(names::get, ORDER));
      return new Shape(names, List.copyOf(order));
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
    @SuppressWarnings("unchecked")
    Map.Entry<String, JsonNode>[] fields =
        node.properties().toArray((Map.Entry<String, JsonNode>[]) new Map.Entry<?, ?>[0]);
    if (!plain("{")) {
      return false;
    }
    boolean first = true;
    for (int i : shape(place, fields).order()) {
      String name = fields[i].getKey();
      if (without.contains(name)) {
        continue;
      }
      int start = at;
      if (!key(name, first)) {
        at = start;
        first = skip(onlyOurs, first);
        if (!key(name, first)) {
          return false;
        }
      }
      first = false;
      if (!value(fields[i].getValue(), name)) {
        return false;
      }
    }
    skip(onlyOurs, first);
    return plain("}");
  }

  private boolean key(String name, boolean first) {
    return (first || plain(", ")) && string(name) && plain(": ");
  }

  // Passes over fields that only the text has; answers whether the next one is still the first.
  private boolean skip(Collection<String> names, boolean first) {
    boolean before = first;
    boolean again = !names.isEmpty();
    while (again) {
      again = false;
      for (String name : names) {
        int start = at;
        if (key(name, before)) {
          passValue();
          before = false;
          again = true;
        } else {
          at = start;
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

  private Shape shape(String place, Map.Entry<String, JsonNode>[] fields) {
    Shape known = shapes.get(place);
    if (known != null && fits(known, fields)) {
      return known;
    }
    Shape shape = Shape.of(Arrays.stream(fields).map(Map.Entry::getKey).toList());
    if (known != null || shapes.size() < MOST_PLACES) {
      shapes.put(place, shape);
    }
    return shape;
  }

  private static boolean fits(Shape shape, Map.Entry<String, JsonNode>[] fields) {
    List<String> names = shape.names();
    if (names.size() != fields.length) {
      return false;
    }
    for (int i = 0; i < fields.length; i++) {
      if (!names.get(i).equals(fields[i].getKey())) {
        return false;
      }
    }
    return true;
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
    if (!next('"')) {
      return false;
    }
    int length = expected.length();
    for (int i = 0; i < length; i++) {
      char c = expected.charAt(i);
      if (c < 0x80) {
        if (c < ' ' || c == '"' || c == '\\' || !next(c)) {
          return false;
        }
      } else if (c < 0x800) {
        if (!next(0xC0 | (c >> 6)) || !next(0x80 | (c & 0x3F))) {
          return false;
        }
      } else if (Character.isSurrogate(c)) {
        return false;
      } else if (!next(0xE0 | (c >> 12))
          || !next(0x80 | ((c >> 6) & 0x3F))
          || !next(0x80 | (c & 0x3F))) {
        return false;
      }
    }
    return next('"');
  }

  private boolean next(int expected) {
    return at < text.length && text[at++] == (byte) expected;
  }
}
