package io.hooktally.reconcile.compare;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds its way through JSON that has been read before, and so is known to be well-formed; and
 * compares pieces of it. Eight bytes at a time: a row is some hundred pieces of a few bytes each.
 */
final class JsonBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHEST = 0x8080808080808080L;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;

  private JsonBytes() {}

  /** Whether so many bytes are the same; false where either array ends before. */
  static boolean same(byte[] left, int from, byte[] right, int at, int length) {
    if (from + length > left.length || at + length > right.length) {
      return false;
    }
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        if (left[from + i] != right[at + i]) {
          return false;
        }
      }
      return true;
    }
    // The last eight may overlap what has been looked at.
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      if ((long) LONG.get(left, from + i) != (long) LONG.get(right, at + i)) {
        return false;
      }
    }
    return (long) LONG.get(left, from + last) == (long) LONG.get(right, at + last);
  }

  /** Past the quote that ends the string which begins at {@code from}, of well-formed JSON. */
  static int pastString(byte[] json, int from) {
    int i = from + 1;
    while (true) {
      if (i + Long.BYTES <= json.length) {
        long word = (long) LONG.get(json, i);
        long found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
        if (found == 0) {
          i += Long.BYTES;
          continue;
        }
        i += Long.numberOfTrailingZeros(found) >> 3;
      }
      if (json[i] == '"') {
        return i + 1;
      }
      i += json[i] == '\\' ? 2 : 1;
    }
  }

  /** Past spaces and line ends. */
  static int pastSpace(byte[] json, int from) {
    int i = from;
    while (json[i] == ' ' || json[i] == '\n' || json[i] == '\r' || json[i] == '\t') {
      i++;
    }
    return i;
  }

  /** Past a value, which ends before a comma, a bracket or a space where it is no string. */
  static int pastValue(byte[] json, int from) {
    if (json[from] == '"') {
      return pastString(json, from);
    }
    int depth = 0;
    int i = from;
    while (true) {
      switch (json[i]) {
        case '"' -> i = pastString(json, i) - 1;
        case '{', '[' -> depth++;
        case '}', ']' -> {
          if (depth == 0) {
            return i;
          } else if (--depth == 0) {
            return i + 1;
          }
        }
        case ',', ' ', '\n', '\r', '\t' -> {
          if (depth == 0) {
            return i;
          }
        }
        default -> {}
      }
      i++;
    }
  }

  // The highest bit of each byte that is zero, and maybe of some behind the first such.
  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGHEST;
  }
}
