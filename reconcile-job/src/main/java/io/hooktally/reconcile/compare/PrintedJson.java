package io.hooktally.reconcile.compare;

import java.nio.charset.StandardCharsets;

/**
 * A place in what PostgreSQL prints of a {@code jsonb}, which moves on over what is expected there,
 * and stays where something else stands. Not thread-safe.
 */
final class PrintedJson {
  private final byte[] text;
  private int at;

  /** At the begin of UTF-8, which is not copied. */
  PrintedJson(byte[] text) {
    this.text = text;
  }

  boolean isAtEnd() {
    return at == text.length;
  }

  /** The same bytes. */
  boolean same(byte[] json, int from, int to) {
    boolean same = JsonBytes.same(json, from, text, at, to - from);
    at += same ? to - from : 0;
    return same;
  }

  /** One character of ASCII. */
  boolean literal(int expected) {
    boolean found = at < text.length && text[at] == expected;
    at += found ? 1 : 0;
    return found;
  }

  /** Passes over a key and what stands before it, or over nothing. */
  boolean key(byte[] key, boolean first) {
    int begin = first ? at : at + 2;
    boolean found =
        JsonBytes.same(text, begin, key, 0, key.length)
            && (first || (text[at] == ',' && text[at + 1] == ' '));
    at = found ? begin + key.length : at;
    return found;
  }

  /** Passes over fields that only the text has; answers whether the next one is still the first. */
  boolean skip(byte[][] keys, boolean first) {
    boolean before = first;
    boolean again = keys.length > 0;
    while (again) {
      again = false;
      for (byte[] key : keys) {
        if (key(key, before)) {
          at = JsonBytes.pastValue(text, at);
          before = false;
          again = true;
        }
      }
    }
    return before;
  }

  /** A string with escapes, which the database prints its own way. */
  boolean escaped(byte[] json, int from, int to) {
    int i = from;
    while (i < to) {
      if (json[i] != '\\') {
        if (!literal(json[i++])) {
          return false;
        }
      } else if (json[i + 1] == 'u') {
        char c = hex(json, i);
        boolean pair = Character.isHighSurrogate(c) && json[i + 6] == '\\' && json[i + 7] == 'u';
        char low = pair ? hex(json, i + 6) : 0;
        if ((pair && !Character.isLowSurrogate(low))
            || !character(pair ? Character.toCodePoint(c, low) : c)) {
          return false;
        }
        i += pair ? 12 : 6;
      } else {
        if ((json[i + 1] != '/' && !literal('\\')) || !literal(json[i + 1])) {
          return false;
        }
        i += 2;
      }
    }
    return true;
  }

  private static char hex(byte[] json, int escape) {
    int value = 0;
    for (int i = escape + 2; i < escape + 6; i++) {
      value = 16 * value + Character.digit(json[i], 16);
    }
    return (char) value;
  }

  // What is printed as an escape, or not kept as it is, is left to the comparison.
  private boolean character(int c) {
    boolean kept = c >= ' ' && c != '"' && c != '\\' && Character.getType(c) != Character.SURROGATE;
    if (!kept) {
      return false;
    }
    for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
      if (!literal(b)) {
        return false;
      }
    }
    return true;
  }
}
