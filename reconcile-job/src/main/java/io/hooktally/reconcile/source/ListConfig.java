package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an entity type is listed. The list is sorted by time, newest first, and paged by offset. All
 * pointers are tried in order; the first that finds something counts.
 *
 * @param path below the API's URL
 * @param items pointers to the array of rows
 * @param id pointers to a row's id
 * @param pageSize rows asked for; the source may give fewer
 * @param limitParam query key of the page size
 * @param offsetParam query key of the offset
 * @param orderParam query key of the order
 * @param sort value of {@code orderParam}: by modified time, descending
 * @param createdSort value of {@code orderParam}: by created time, descending
 * @param by the order runs list by; {@code created} for sources that cannot sort by modified time
 * @param editReach with {@code by: created}, how far back entities still change
 * @param fromParam query key that takes the oldest time wanted, in ISO form; blank: there is none
 * @param toParam query key that takes the newest time wanted, in ISO form; blank: there is none
 * @param filter pointers to an object that shows the filters which the source applied
 * @param query further query keys and values
 * @param total pointers to the number of all rows, where the source tells it
 * @param hasMore pointers to whether rows follow this page
 * @param limit pointers to the page size the source applied
 * @param offset pointers to the offset the source applied
 * @param maxPages an endless list fails the run after so many pages
 */
public record ListConfig(
    String path,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> items,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> id,
    Integer pageSize,
    String limitParam,
    String offsetParam,
    String orderParam,
    String sort,
    String createdSort,
    ListOrder by,
    @JsonDeserialize(using = DurationReader.class) Duration editReach,
    String fromParam,
    String toParam,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> filter,
    Map<String, String> query,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> total,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> hasMore,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> limit,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> offset,
    Integer maxPages) {
  /** Fills in defaults. */
  public ListConfig(
      @Nullable String path,
      @Nullable List<String> items,
      @Nullable List<String> id,
      @Nullable Integer pageSize,
      @Nullable String limitParam,
      @Nullable String offsetParam,
      @Nullable String orderParam,
      @Nullable String sort,
      @Nullable String createdSort,
      @Nullable ListOrder by,
      @Nullable Duration editReach,
      @Nullable String fromParam,
      @Nullable String toParam,
      @Nullable List<String> filter,
      @Nullable Map<String, String> query,
      @Nullable List<String> total,
      @Nullable List<String> hasMore,
      @Nullable List<String> limit,
      @Nullable List<String> offset,
      @Nullable Integer maxPages) {
    this.path = Defaults.text(path, "");
    this.items = Defaults.list(items, List.of("/items"));
    this.id = Defaults.list(id, List.of("/id"));
    this.pageSize = Objects.requireNonNullElse(pageSize, 200);
    this.limitParam = Defaults.text(limitParam, "limit");
    this.offsetParam = Defaults.text(offsetParam, "offset");
    this.orderParam = Defaults.text(orderParam, "order");
    this.sort = Defaults.text(sort, "updated_at.desc");
    this.createdSort = Defaults.text(createdSort, "created_at.desc");
    this.by = Objects.requireNonNullElse(by, ListOrder.MODIFIED);
    this.editReach = Objects.requireNonNullElse(editReach, Duration.ZERO);
    this.fromParam = Defaults.text(fromParam, "");
    this.toParam = Defaults.text(toParam, "");
    this.filter = Defaults.list(filter, List.of());
    this.query = Defaults.map(query);
    this.total = Defaults.list(total, List.of("/total"));
    this.hasMore = Defaults.list(hasMore, List.of("/page/hasMore"));
    this.limit = Defaults.list(limit, List.of("/page/limit"));
    this.offset = Defaults.list(offset, List.of("/page/offset"));
    this.maxPages = Objects.requireNonNullElse(maxPages, 1_000_000);
  }

  static ListConfig byDefault() {
    return new ListConfig(
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, null, null, null, null);
  }

  /** Whether the source can be asked for a range of times. */
  public boolean takesRange() {
    return !fromParam.isBlank() && !toParam.isBlank();
  }

  /** The value of {@code orderParam} for an order. */
  String sort(ListOrder order) {
    return order == ListOrder.CREATED ? createdSort : sort;
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    problems.path("path", path);
    problems.pointers("items", items, true);
    problems.pointers("id", id, true);
    problems.pointers("total", total, false);
    problems.pointers("hasMore", hasMore, false);
    problems.pointers("limit", limit, false);
    problems.pointers("offset", offset, false);
    problems.pointers("filter", filter, false);
    problems.notNegative("editReach", editReach);
    if (by == ListOrder.CREATED && editReach.isZero()) {
      problems.add(
          "editReach",
          "nothing",
          "how far back entities still change, with by: created",
          "Write for example 90d.");
    }
    if (fromParam.isBlank() != toParam.isBlank()) {
      problems.add(
          "fromParam/toParam",
          "one of them",
          "both query keys, or neither",
          "Fill in the other, or leave both out.");
    }
    problems.between("pageSize", pageSize, 1, 100_000);
    problems.between("maxPages", maxPages, 1, Integer.MAX_VALUE);
    for (String name : List.of(limitParam, offsetParam, orderParam)) {
      if (name.isBlank()) {
        problems.add(
            "limitParam/offsetParam/orderParam", "nothing", "names of query keys", "Fill them in.");
      }
    }
    return problems.found();
  }
}
