package io.hooktally.service.demo;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts what was delivered: how often again, how often in the wrong order. */
final class Traffic {
  private final Set<String> events = new HashSet<>();
  private final Map<String, PlannedEvent> youngest = new HashMap<>();
  private long deliveries;
  private long overtaken;

  void note(List<PlannedEvent> delivered) {
    delivered.forEach(this::note);
  }

  private void note(PlannedEvent event) {
    deliveries++;
    if (!events.add(event.id())) {
      return;
    }
    PlannedEvent before = youngest.get(event.step().orderId());
    if (before != null && before.step().at().isAfter(event.step().at())) {
      overtaken++;
    } else {
      youngest.put(event.step().orderId(), event);
    }
  }

  /** Events delivered at least once. */
  long sent() {
    return events.size();
  }

  /** Deliveries beyond an event's first. */
  long duplicates() {
    return deliveries - events.size();
  }

  /** Events that arrived after a younger one of the same order. */
  long overtaken() {
    return overtaken;
  }
}
