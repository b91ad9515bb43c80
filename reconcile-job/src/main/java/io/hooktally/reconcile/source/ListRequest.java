package io.hooktally.reconcile.source;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is to be listed.
 *
 * @param type the entity type
 * @param from rows sorted by an earlier time are not wanted; null: to the very end of the list
 * @param to rows sorted by this time or a later one are not wanted; null: from the very top. Where
 *     the source takes no range, the list is walked from its top all the same
 * @param order by which time it is sorted, and the range is meant
 */
public record ListRequest(
    String type, @Nullable Instant from, @Nullable Instant to, ListOrder order) {
  /** Everything modified since {@code from}. */
  public static ListRequest modifiedSince(String type, Instant from) {
    return new ListRequest(type, from, null, ListOrder.MODIFIED);
  }

  /** Everything there is, to the very end of the list. */
  public static ListRequest everything(String type, ListOrder order) {
    return new ListRequest(type, null, null, order);
  }

  boolean wants(Instant time) {
    return (from == null || !time.isBefore(from)) && (to == null || time.isBefore(to));
  }

  /** Whether the source itself is asked for the range only. */
  boolean isRange(ListConfig list) {
    return to != null && list.takesRange();
  }

  /**
   * The oldest time the source is asked for: a second more, so that nothing is lost where it leaves
   * the border out or cuts off fractions.
   */
  @Nullable Instant askedFrom() {
    return from == null ? null : from.truncatedTo(ChronoUnit.SECONDS).minusSeconds(1);
  }

  /** The newest time the source is asked for, likewise. */
  @Nullable Instant askedTo() {
    return to == null ? null : to.truncatedTo(ChronoUnit.SECONDS).plusSeconds(2);
  }

  boolean isAskedFor(Instant time) {
    Instant oldest = askedFrom();
    Instant newest = askedTo();
    return (oldest == null || !time.isBefore(oldest)) && (newest == null || !time.isAfter(newest));
  }
}
