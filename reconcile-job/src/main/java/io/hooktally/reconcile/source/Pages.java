package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fetches pages of a list and checks each in itself: envelope, echoes, ids, order. */
final class Pages {
  /** Asks for the page at an offset. */
  @FunctionalInterface
  interface Request {
    SourceHttp.Answer<PageReader.Answer> at(long offset, PageReader reader);
  }

  private final String name;
  private final EntityConfig type;
  private final ListRequest wanted;
  private final Request request;
  private final Pointers items;
  private final Pointers id;
  private final EntityTimes times;
  private final Pointers hasMore;
  private final Pointers total;
  private final Pointers limit;
  private final Pointers offset;
  private final AppliedFilters filters;
  private final PageReader reader;
  private int fetched;

  Pages(String source, EntityConfig type, ListRequest wanted, Request request) {
    ListConfig list = type.list();
    this.name = "the list of " + source + "/" + type.type();
    this.type = type;
    this.wanted = wanted;
    this.request = request;
    this.items = new Pointers(list.items());
    this.id = new Pointers(list.id());
    this.times = new EntityTimes(type);
    this.hasMore = new Pointers(list.hasMore());
    this.total = new Pointers(list.total());
    this.limit = new Pointers(list.limit());
    this.offset = new Pointers(list.offset());
    this.filters = new AppliedFilters(list, wanted);
    this.reader =
        new PageReader(items, Stream.concat(Stream.of(id), times.pointers().stream()).toList());
  }

  int fetched() {
    return fetched;
  }

  Page fetch(long at) {
    if (++fetched > type.list().maxPages()) {
      throw incomplete("no end after " + type.list().maxPages() + " pages");
    }
    PageReader.Answer answer = request.at(at, reader).body();
    if (answer == null) {
      throw new SourceRefusedException(name + " does not exist; check its list.path", 404);
    }
    JsonNode body = answer.envelope();
    List<PageReader.Row> shown =
        answer
            .rows(items.find(body, JsonNode::isArray))
            .orElseThrow(() -> incomplete("an answer without rows at any of " + items));
    filters
        .ignored(body)
        .ifPresent(
            key -> {
              throw incomplete("the source does not show that it applied the filter " + key);
            });
    Long echoed = number(body, offset);
    if (echoed != null && echoed != at) {
      throw incomplete("offset " + at + " was asked for and " + echoed + " answered");
    }
    List<ListedRow> rows = rows(shown);
    Long applied = number(body, limit);
    int asked = type.list().pageSize();
    long covers = applied == null || applied < 1 ? (rows.isEmpty() ? asked : rows.size()) : applied;
    int limit = (int) Math.min(Math.max(covers, rows.size()), 1_000_000);
    return new Page(at, limit, rows, flag(body), number(body, total));
  }

  private List<ListedRow> rows(List<PageReader.Row> array) {
    List<ListedRow> rows = new ArrayList<>(array.size());
    Set<String> ids = new HashSet<>(2 * array.size());
    Instant before = Instant.MAX;
    for (PageReader.Row one : array) {
      ListedRow row = row(one);
      if (!ids.add(row.id())) {
        throw incomplete("one page shows " + row.id() + " twice");
      }
      if (!filters.admit(row.sortedBy())) {
        throw incomplete("it shows rows outside the range asked for: the filter was ignored");
      }
      if (row.sortedBy().isAfter(before)) {
        throw incomplete(
            "times increase down a page: the order "
                + type.list().sort(wanted.order())
                + " was ignored");
      }
      before = row.sortedBy();
      rows.add(row);
    }
    return rows;
  }

  private ListedRow row(PageReader.Row row) {
    JsonNode node = row.head();
    String found = EntityIds.text(id.find(node));
    if (found == null || !EntityIds.isValid(found)) {
      throw incomplete("a row without a usable id at any of " + id);
    }
    try {
      Instant modified = times.ofEntity(node);
      if (modified == null) {
        throw incomplete("row " + found + " has neither a modified nor a created time");
      }
      Instant sortedBy = wanted.order() == ListOrder.MODIFIED ? modified : times.created(node);
      if (sortedBy == null) {
        throw incomplete("row " + found + " has no created time");
      }
      return new ListedRow(found, modified, sortedBy, row.text());
    } catch (InvalidEventException e) {
      throw incomplete("row " + found + ": " + e.getMessage());
    }
  }

  private @Nullable Boolean flag(JsonNode body) {
    JsonNode node = hasMore.find(body);
    if (!node.isMissingNode() && !node.isBoolean()) {
      throw incomplete("neither true nor false at " + hasMore);
    }
    return node.isMissingNode() ? null : node.booleanValue();
  }

  private @Nullable Long number(JsonNode body, Pointers pointers) {
    JsonNode node = pointers.find(body);
    if (!node.isMissingNode() && !(node.canConvertToLong() && node.longValue() >= 0)) {
      throw incomplete("no whole number at " + pointers);
    }
    return node.isMissingNode() ? null : node.longValue();
  }

  IncompleteListingException incomplete(String why) {
    return new IncompleteListingException(name + " is not complete: " + why);
  }
}
