package io.hooktally.reconcile.source;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Down to where a list has been seen: every row newer than {@code time}, and of those at exactly
 * that time the ones in {@code group}. Of the last page only ids and times are kept, to recognise
 * it in the next.
 */
final class Border {
  private record Key(String id, Instant time) {
    static Key of(ListedRow row) {
      return new Key(row.id(), row.sortedBy());
    }
  }

  private static final int LARGEST_GROUP = 200_000;

  private final Instant time;
  private final Set<String> group;
  // Looked through from its end, where a match nearly always stands first: no need to hash all.
  private final List<Key> lastPage;
  private final Key last;
  // For a group that does not fit on a page: where it began, and what one walk through it showed.
  private final long groupStart;
  private final long lastPosition;
  private final Set<String> walked;
  private final boolean countable;

  private Border(
      Page page, Set<String> group, long groupStart, Set<String> walked, boolean countable) {
    this.time = page.last().sortedBy();
    this.group = group;
    this.lastPage = new ArrayList<>(page.size());
    for (int i = page.size() - 1; i >= 0; i--) {
      lastPage.add(Key.of(page.rows().get(i)));
    }
    this.last = Key.of(page.last());
    this.groupStart = groupStart;
    this.lastPosition = page.offset() + page.size() - 1;
    this.walked = walked;
    this.countable = countable;
  }

  /** After a page that begins above the times of its last row, or at the top. */
  static Border after(Page page) {
    int start = page.indexNotAfter(page.last().sortedBy());
    Set<String> group = new HashSet<>();
    page.rows().subList(start, page.size()).forEach(row -> group.add(row.id()));
    boolean full = page.size() == page.limit();
    return new Border(page, group, page.offset() + start, new HashSet<>(group), full);
  }

  /** After a further page that this one vouches for. */
  Border next(Page page) {
    if (page.last().sortedBy().isBefore(time)) {
      return after(page);
    }
    Set<String> atTime = new HashSet<>();
    page.rows().stream()
        .filter(row -> row.sortedBy().equals(time))
        .forEach(row -> atTime.add(row.id()));
    group.addAll(atTime);
    boolean fromItsStart = page.first().sortedBy().isAfter(time) || page.offset() == 0;
    boolean full = page.size() == page.limit();
    if (fromItsStart) {
      return new Border(page, group, page.offset() + page.indexNotAfter(time), atTime, full);
    }
    walked.addAll(atTime);
    return new Border(page, group, groupStart + shift(page), walked, countable && full);
  }

  /** Whether the page continues what has been seen without a crack. */
  boolean vouchesFor(Page page) {
    if (page.first().sortedBy().isAfter(time)) {
      return page.last().sortedBy().isAfter(time) || page.rows().stream().anyMatch(this::isKnown);
    }
    int at = indexOfLast(page);
    return at >= 0 && page.rows().subList(0, at).stream().allMatch(row -> group.contains(row.id()));
  }

  private boolean isKnown(ListedRow row) {
    return lastPage.contains(Key.of(row))
        || (row.sortedBy().equals(time) && group.contains(row.id()));
  }

  /** Whether the page lies wholly above: it shows nothing that has not been seen. */
  boolean isBelow(Page page) {
    return page.last().sortedBy().isAfter(time);
  }

  List<ListedRow> fresh(Page page) {
    List<ListedRow> fresh = new ArrayList<>(page.size());
    for (ListedRow row : page.rows().subList(page.indexNotAfter(time), page.size())) {
      if (row.sortedBy().isBefore(time) || !group.contains(row.id())) {
        fresh.add(row);
      }
    }
    return fresh;
  }

  /**
   * Whether a group of equal times that was walked over several pages, and ends on this one, showed
   * as many distinct ids as it took positions. If not, its order was not stable.
   */
  boolean addsUp(Page page) {
    boolean walkedOverPages = !page.first().sortedBy().isAfter(time) && page.offset() > 0;
    if (!walkedOverPages || !countable || !page.last().sortedBy().isBefore(time)) {
      return true;
    }
    Set<String> all = new HashSet<>(walked);
    int end = 0;
    while (end < page.size() && !page.rows().get(end).sortedBy().isBefore(time)) {
      all.add(page.rows().get(end++).id());
    }
    return page.offset() + end - (groupStart + shift(page)) == all.size();
  }

  Instant time() {
    return time;
  }

  long groupStart() {
    return groupStart;
  }

  boolean isTooLarge() {
    return group.size() > LARGEST_GROUP;
  }

  /** How far the last row seen was pushed down meanwhile, or pulled up (negative). */
  private long shift(Page page) {
    int at = indexOfLast(page);
    return at < 0 ? 0 : page.offset() + at - lastPosition;
  }

  private int indexOfLast(Page page) {
    for (int i = 0; i < page.size(); i++) {
      if (Key.of(page.rows().get(i)).equals(last)) {
        return i;
      }
    }
    return -1;
  }
}
