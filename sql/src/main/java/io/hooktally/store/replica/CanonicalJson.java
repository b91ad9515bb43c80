package io.hooktally.store.replica;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * One spelling for each JSON value: object keys in code-unit order, no blanks, numbers by value (1,
 * 1.0 and 1e0 are one; no doubles anywhere). Null and a missing key stay different here; treating
 * them alike is for the comparison. Pure and thread-safe.
 */
public final class CanonicalJson {
  private CanonicalJson() {}

  /** SHA-256 of the canonical form in hex: equal for equal values, whatever their notation. */
  public static String hash(JsonNode node) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(write(node).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The canonical form; only ASCII escapes, so that half surrogates keep their identity. */
  public static String write(JsonNode node) {
    StringBuilder out = new StringBuilder(256);
    write(node, out);
    return out.toString();
  }

  private static void write(JsonNode node, StringBuilder out) {
    switch (node.getNodeType()) {
      case OBJECT -> object(node, out);
      case ARRAY -> {
        out.append('[');
        String comma = "";
        for (JsonNode element : node) {
          out.append(comma);
          write(element, out);
          comma = ",";
        }
        out.append(']');
      }
      case NUMBER -> out.append(number(node.decimalValue()));
      case STRING -> string(node.textValue(), out);
      case BOOLEAN -> out.append(node.booleanValue());
      default -> out.append("null");
    }
  }

  private static void object(JsonNode node, StringBuilder out) {
    List<String> names = new ArrayList<>(node.size());
    node.fieldNames().forEachRemaining(names::add);
    Collections.sort(names);
    out.append('{');
    String comma = "";
    for (String name : names) {
      out.append(comma);
      string(name, out);
      out.append(':');
      write(node.get(name), out);
      comma = ",";
    }
    out.append('}');
  }

  /** A number by value: trailing zeros say nothing, and there is one zero. */
  static String number(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toString();
  }

  private static void string(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        escape(c, out);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        out.append(c).append(text.charAt(++i));
      } else if (Character.isSurrogate(c)) {
        escape(c, out);
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private static void escape(char c, StringBuilder out) {
    out.append("\\u%04x".formatted((int) c));
  }
}
