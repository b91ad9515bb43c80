package io.hooktally.reconcile.source;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One walk down a list that moves while it is read. Each page is asked for so that it overlaps what
 * has been seen, and counts only if it does:
 *
 * <ul>
 *   <li>it begins with a row newer than the border, so that all rows of the border's time stand
 *       together on it, whatever their order; or
 *   <li>where these do not fit on one page, it shows the last row seen; or
 *   <li>where nothing can overlap because the source filters rows out of its pages, the page before
 *       it is read again and has not moved.
 * </ul>
 *
 * Otherwise rows were pulled up by deletions, and the walk steps back.
 */
final class ListingWalk {
  /** How a walk ended. */
  record End(long delivered, IdSum ids, boolean agreesWithTotal, @Nullable Instant newest) {}

  private static final int MOST_STEPS_WITHOUT_NEWS = 100;
  private static final int MOST_WALKS_OF_A_GROUP = 3;

  private final Pages pages;
  private final ListRequest request;
  private final Consumer<List<ListedRow>> sink;
  private final @Nullable Instant top;

  private @Nullable Border border;
  private @Nullable Page beforeJump;
  private int emptyInARow;
  private int withoutNews;
  private int walksOfGroup;
  private long back = 1;
  private long delivered;
  private IdSum ids = IdSum.EMPTY;
  private @Nullable Instant newest;

  ListingWalk(Pages pages, ListRequest request, Consumer<List<ListedRow>> sink) {
    this(pages, request, sink, null);
  }

  /** With ids taken of rows at or below {@code top} only; null: of all. */
  ListingWalk(
      Pages pages, ListRequest request, Consumer<List<ListedRow>> sink, @Nullable Instant top) {
    this.top = top;
    this.pages = pages;
    this.request = request;
    this.sink = sink;
  }

  End walk() {
    long offset = 0;
    while (true) {
      Page page = pages.fetch(offset);
      if (++withoutNews > MOST_STEPS_WITHOUT_NEWS) {
        throw pages.incomplete("it shows the same rows again and again; is its offset heeded?");
      }
      if (!isSure(page)) {
        offset = stepBack(page.offset());
        continue;
      }
      if (border != null && !page.isEmpty() && !border.addsUp(page)) {
        offset = walkGroupAgain(border);
        continue;
      }
      back = 1;
      emptyInARow = page.isEmpty() ? emptyInARow + 1 : 0;
      if (page.isEmpty()) {
        beforeJump = beforeJump == null ? page : beforeJump;
      } else {
        beforeJump = null;
        take(page);
      }
      boolean allOlder = !page.isEmpty() && isTooOld(page.first());
      if (allOlder || isEnd(page, emptyInARow)) {
        return new End(delivered, ids, allOlder || page.agreesWithTotal(), newest);
      }
      offset = next(page);
    }
  }

  private boolean isSure(Page page) {
    Page jumpedFrom = beforeJump;
    if (page.offset() == 0) {
      return true;
    }
    if (jumpedFrom != null && jumpedFrom.offset() < page.offset()) {
      boolean pending = page.isEmpty() && !isEnd(page, emptyInARow + 1);
      return pending || stands(jumpedFrom);
    }
    return border != null && !page.isEmpty() && border.vouchesFor(page);
  }

  private boolean stands(Page before) {
    Page again = pages.fetch(before.offset());
    if (again.size() != before.size()) {
      return false;
    }
    for (int i = 0; i < again.size(); i++) {
      if (!again.rows().get(i).sameAs(before.rows().get(i))) {
        return false;
      }
    }
    return true;
  }

  private long stepBack(long offset) {
    Page jumpedFrom = beforeJump;
    long start = jumpedFrom == null ? offset : jumpedFrom.offset();
    beforeJump = null;
    long to = Math.max(0, start - back);
    back *= 2;
    return to;
  }

  private long walkGroupAgain(Border walked) {
    if (++walksOfGroup >= MOST_WALKS_OF_A_GROUP) {
      throw pages.incomplete("rows of equal time change their order from page to page");
    }
    return Math.max(0, walked.groupStart() - 1);
  }

  private void take(Page page) {
    Border before = border;
    List<ListedRow> fresh = before == null ? page.rows() : before.fresh(page);
    if (before == null) {
      border = Border.after(page);
    } else if (!before.isBelow(page)) {
      border = before.next(page);
      walksOfGroup = page.last().sortedBy().isBefore(before.time()) ? 0 : walksOfGroup;
    }
    if (border != null && border.isTooLarge()) {
      throw pages.incomplete("too many rows of one and the same time");
    }
    if (fresh.isEmpty()) {
      return;
    }
    withoutNews = 0;
    newest = newest == null ? fresh.get(0).sortedBy() : newest;
    ids = ids.plus(notAbove(fresh));
    List<ListedRow> wanted = wanted(fresh);
    delivered += wanted.size();
    if (!wanted.isEmpty()) {
      sink.accept(wanted);
    }
  }

  private List<ListedRow> notAbove(List<ListedRow> fresh) {
    Instant most = top;
    int first = 0;
    while (most != null && first < fresh.size() && fresh.get(first).sortedBy().isAfter(most)) {
      first++;
    }
    return fresh.subList(first, fresh.size());
  }

  // They are in order: what is wanted of them stands together.
  private List<ListedRow> wanted(List<ListedRow> fresh) {
    int first = 0;
    int end = fresh.size();
    while (first < end && !request.wants(fresh.get(first).sortedBy())) {
      first++;
    }
    while (end > first && !request.wants(fresh.get(end - 1).sortedBy())) {
      end--;
    }
    return fresh.subList(first, end);
  }

  private boolean isTooOld(ListedRow row) {
    Instant from = request.from();
    return from != null && row.sortedBy().isBefore(from);
  }

  // Where the source says nothing about the end, two empty pages in a row are it.
  private boolean isEnd(Page page, int empty) {
    Boolean says = page.saysEnd();
    return says == null ? page.isEmpty() && empty >= 2 : says;
  }

  private long next(Page page) {
    if (page.isEmpty()) {
      return page.offset() + page.limit();
    }
    Border seen = border;
    boolean above = seen != null && seen.isBelow(page);
    long overlapping =
        page.offset() + (above ? page.size() : page.indexNotAfter(page.last().sortedBy())) - 1;
    if (overlapping > page.offset()) {
      return overlapping;
    }
    if (page.size() > 1) {
      return page.offset() + page.size() - 1;
    }
    beforeJump = page;
    return page.offset() + page.limit();
  }
}
