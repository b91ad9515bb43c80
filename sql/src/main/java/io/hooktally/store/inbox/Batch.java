package io.hooktally.store.inbox;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** One batch on its way into the database: sorted by event, one delivery of each going first. */
final class Batch {
  private final List<Delivery> deliveries;
  // By event, in key order: positions in the batch, in the order they came.
  private final SortedMap<EventKey, List<Integer>> positions = new TreeMap<>();
  private final Receipt[] receipts;

  Batch(List<Delivery> deliveries) {
    this.deliveries = deliveries;
    this.receipts = new Receipt[deliveries.size()];
    for (int i = 0; i < deliveries.size(); i++) {
      Delivery delivery = deliveries.get(i);
      positions
          .computeIfAbsent(
              new EventKey(delivery.source(), delivery.eventId()), key -> new ArrayList<>(1))
          .add(i);
    }
  }

  /** Writes the batch within the caller's transaction. */
  List<Receipt> write(Handle handle, String instance) {
    List<Delivery> firsts =
        positions.values().stream().map(all -> deliveries.get(all.get(0))).toList();
    Set<EventKey> fresh = EventRows.insert(handle, instance, firsts);
    Map<EventKey, Long> repeated = new LinkedHashMap<>();
    positions.forEach(
        (key, all) -> {
          boolean stored = fresh.contains(key);
          if (stored) {
            receipts[all.get(0)] = Receipt.STORED;
          }
          long further = stored ? all.size() - 1L : all.size();
          if (further > 0) {
            repeated.put(key, further);
          }
        });
    if (!repeated.isEmpty()) {
      Map<EventKey, byte[]> hashes = EventRows.repeat(handle, repeated);
      repeated
          .keySet()
          .forEach(
              key -> compare(handle, instance, key, requireNonNull(hashes.get(key), "ledger row")));
    }
    return List.of(receipts);
  }

  private void compare(Handle handle, String instance, EventKey key, byte[] hash) {
    Map<String, List<Delivery>> others = new LinkedHashMap<>();
    boolean again = false;
    for (int position : positions.getOrDefault(key, List.of())) {
      if (receipts[position] == Receipt.STORED) {
        continue;
      }
      Delivery delivery = deliveries.get(position);
      boolean same = Arrays.equals(hash, delivery.sha256());
      again |= same && delivery.isNamedByItsBody();
      receipts[position] = same ? Receipt.DUPLICATE : Receipt.CONFLICT;
      if (!same) {
        others
            .computeIfAbsent(
                HexFormat.of().formatHex(delivery.sha256()), sha256 -> new ArrayList<>(1))
            .add(delivery);
      }
    }
    if (again) {
      // The same body may be another event: A, then B, then A again.
      EventRows.readAgain(handle, instance, key);
    }
    if (!others.isEmpty()) {
      long times = others.values().stream().mapToLong(List::size).sum();
      EventRows.countConflicts(handle, key, times);
      others
          .values()
          .forEach(same -> ConflictRows.keep(handle, instance, same.get(0), same.size()));
    }
  }
}
