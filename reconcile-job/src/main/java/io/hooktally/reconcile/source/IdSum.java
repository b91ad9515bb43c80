package io.hooktally.reconcile.source;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A set of ids in 24 bytes: how many, and the sum of their SHA-256 hashes (the first 128 bits).
 * Equal sets have equal sums, whatever their order; others practically never.
 */
record IdSum(long count, long high, long low) {
  static final IdSum EMPTY = new IdSum(0, 0, 0);

  IdSum plus(String id) {
    try {
      ByteBuffer hash =
          ByteBuffer.wrap(
              MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8)));
      return new IdSum(count + 1, high + hash.getLong(), low + hash.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
