package io.hooktally.service.receive;

import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * A body on its way in. Room grows with what arrives, not with what was announced. Used by one
 * thread at a time.
 */
final class Body {
  /** How a read ended. */
  enum Read {
    /** Nothing more to read now. */
    PAUSED,
    /** More came than allowed. */
    TOO_LARGE,
    /** The budget for all bodies is used up. */
    NO_ROOM
  }

  private static final int SMALLEST = 2048;
  // What a delivery costs besides its body, so that empty ones are bounded too.
  private static final int OVERHEAD = 2048;

  private final int limit;
  private final ByteBudget budget;
  private final boolean kept;
  private byte[] bytes = new byte[0];
  private int size;
  private long taken;

  /**
   * An empty body.
   *
   * @param limit bytes it may have
   * @param kept false: it is only counted
   */
  Body(int limit, ByteBudget budget, boolean kept) {
    this.limit = limit;
    this.budget = budget;
    this.kept = kept;
  }

  /** Takes in what is there without waiting for more. */
  Read read(ServletInputStream input, long announced) throws IOException {
    while (input.isReady()) {
      int used = kept ? size : 0;
      if (used == bytes.length && !grow(announced)) {
        return Read.NO_ROOM;
      }
      int count = input.read(bytes, used, bytes.length - used);
      if (count < 0) {
        return Read.PAUSED;
      }
      size += count;
      if (size > limit) {
        return Read.TOO_LARGE;
      }
    }
    return Read.PAUSED;
  }

  // One byte more than allowed is room enough to see that it is too much.
  private boolean grow(long announced) {
    int most = announced >= 0 ? (int) Math.min(announced, limit) + 1 : limit + 1;
    int room = Math.min(Math.max(SMALLEST, bytes.length * 2), most);
    long more = room + OVERHEAD - taken;
    if (!budget.take(more)) {
      return false;
    }
    taken += more;
    bytes = Arrays.copyOf(bytes, room);
    return true;
  }

  /** What came, in an array of its own size. Nothing can be read any more. */
  byte[] bytes() {
    if (bytes.length != size) {
      bytes = Arrays.copyOf(bytes, size);
    }
    return bytes;
  }

  /** Gives back what it took from the budget. */
  void release() {
    budget.give(taken);
    taken = 0;
  }
}
