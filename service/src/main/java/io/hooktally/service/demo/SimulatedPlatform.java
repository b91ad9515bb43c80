package io.hooktally.service.demo;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The platform's orders, and what its API last said about each. From these alone it knows where a
 * store that believes its answers must differ. Thread-safe.
 */
final class SimulatedPlatform {
  private static final Comparator<OrderState> NEWEST_FIRST =
      Comparator.comparing(OrderState::updatedAt)
          .reversed()
          .thenComparing(OrderState::id, Comparator.reverseOrder());

  private final Map<String, OrderState> orders = new HashMap<>();
  private final Map<String, OrderState> lastServed = new HashMap<>();
  private final Map<String, Kind> corrupted = new HashMap<>();

  synchronized void change(OrderState after) {
    orders.put(after.id(), after);
  }

  synchronized void delete(String id) {
    orders.remove(id);
  }

  /** The API's single read; what it answers is remembered. */
  synchronized Optional<OrderState> read(String id) {
    OrderState order = orders.get(id);
    if (order == null) {
      lastServed.remove(id);
    } else {
      lastServed.put(id, order);
    }
    return Optional.ofNullable(order);
  }

  /** All orders, the last changed one first. */
  synchronized List<OrderState> newestFirst() {
    return orders.values().stream().sorted(NEWEST_FIRST).toList();
  }

  /** Ids of the orders whose present state was the last one served: our copy must be true. */
  synchronized List<String> inStep() {
    return orders.values().stream()
        .filter(order -> order.equals(lastServed.get(order.id())))
        .map(OrderState::id)
        .sorted()
        .toList();
  }

  /** Notes that somebody changed our copy of an order behind our back. */
  synchronized void noteCorrupted(String id, Kind kind) {
    corrupted.put(id, kind);
  }

  /** Every order on which a store that knows only what it was served must differ, once quiet. */
  synchronized Map<String, Kind> injected() {
    Set<String> ids = new HashSet<>(orders.keySet());
    ids.addAll(lastServed.keySet());
    Map<String, Kind> injected = new TreeMap<>();
    for (String id : ids) {
      kind(orders.get(id), lastServed.get(id)).ifPresent(kind -> injected.put(id, kind));
    }
    injected.putAll(corrupted);
    return injected;
  }

  static Map<Kind, Long> byKind(Map<String, Kind> rows) {
    Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      counts.put(kind, rows.values().stream().filter(kind::equals).count());
    }
    return counts;
  }

  private static Optional<Kind> kind(
      @org.jspecify.annotations.Nullable OrderState now,
      @org.jspecify.annotations.Nullable OrderState served) {
    if (now == null) {
      return served == null ? Optional.empty() : Optional.of(Kind.EXTRA);
    }
    if (served == null) {
      return Optional.of(Kind.MISSING);
    }
    if (served.updatedAt().isBefore(now.updatedAt())) {
      return Optional.of(Kind.STALE);
    }
    // Only what the list carries can be seen.
    return Objects.equals(served.columns(), now.columns())
        ? Optional.empty()
        : Optional.of(Kind.DIFFERENT);
  }
}
