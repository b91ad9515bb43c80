package io.hooktally.reconcile.source;

import java.time.Instant;
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
}
