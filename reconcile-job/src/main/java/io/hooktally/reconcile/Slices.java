package io.hooktally.reconcile;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a window into slices of time, the newest first. While nothing is found the slices grow, so
 * that the time before there was anything takes a few of them only. Not thread-safe.
 */
final class Slices {
  // No source keeps older times: what is below is one slice.
  private static final Instant OLDEST = Instant.EPOCH;

  private final Window whole;
  private final @Nullable Duration least;
  private @Nullable Duration length;
  private Instant to;
  private boolean begun;

  private Slices(Window whole, @Nullable Duration length, @Nullable Instant slicedTo) {
    this.whole = whole;
    this.least = length;
    this.length = length;
    this.to = slicedTo == null ? whole.to() : slicedTo;
    this.begun = slicedTo != null;
  }

  /** The whole window at once. */
  static Slices one(Window whole) {
    return new Slices(whole, null, null);
  }

  /**
   * Slices of that length.
   *
   * @param slicedTo from here on the window is done; null: nothing is yet
   */
  static Slices of(Window whole, Duration length, @Nullable Instant slicedTo) {
    return new Slices(whole, length, slicedTo);
  }

  boolean areMany() {
    return least != null;
  }

  boolean hasNext() {
    return !begun || whole.from().isBefore(to);
  }

  /** The slice that is to be done now. */
  Window next() {
    Duration now = length;
    if (now == null || !whole.from().isBefore(to)) {
      return new Window(whole.from(), to);
    }
    Instant from = to.minus(now);
    boolean last = !from.isAfter(whole.from()) || from.isBefore(OLDEST);
    return new Window(last ? whole.from() : from, to);
  }

  boolean isLast(Window slice) {
    return slice.from().equals(whole.from());
  }

  /**
   * It is done.
   *
   * @param empty whether neither side had a row in it
   */
  void done(Window slice, boolean empty) {
    Duration now = length;
    begun = true;
    to = slice.from();
    length = empty && now != null ? now.multipliedBy(2) : least;
  }
}
