package io.hooktally.reconcile.source;

import java.util.List;

/**
 * A set of ids in 24 bytes: how many, and the sums of two 64-bit hashes of each. Equal sets have
 * equal sums, whatever their order; others practically never.
 */
record IdSum(long count, long high, long low) {
  static final IdSum EMPTY = new IdSum(0, 0, 0);

  /** With these ids too, of which none is in the set yet. */
  IdSum plus(List<ListedRow> rows) {
    long ofHigh = high;
    long ofLow = low;
    for (ListedRow row : rows) {
      ofHigh += hash(row.id(), 0x9E3779B97F4A7C15L);
      ofLow += hash(row.id(), 0xC2B2AE3D27D4EB4FL);
    }
    return new IdSum(count + rows.size(), ofHigh, ofLow);
  }

  private static long hash(String id, long odd) {
    long hash = odd;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * odd;
      hash ^= hash >>> 29;
    }
    // Sums of weak hashes could meet; every bit of this one depends on every character.
    hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
    hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
    return hash ^ (hash >>> 31);
  }
}
