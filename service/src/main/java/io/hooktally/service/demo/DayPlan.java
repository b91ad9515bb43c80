package io.hooktally.service.demo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * What happens on the demo's day: the changes, which events are lost, which are delivered more than
 * once or late. The same seed gives the same day.
 */
final class DayPlan {
  private static final int LAST_WAVE = LifeCycle.WAVES - 1;

  private final Random random;
  private final LifeCycle lives;
  private final Map<Integer, List<Step>> changes = new HashMap<>();
  private final Map<Integer, List<Step>> silentChanges = new HashMap<>();
  private final Map<Integer, List<PlannedEvent>> deliveries = new HashMap<>();
  private final Set<String> deleted = new HashSet<>();
  private int events;
  private int lost;

  /**
   * Plans a day.
   *
   * @param day its first moment
   * @param orders how many, 50 or more
   */
  DayPlan(Instant day, int orders, long seed) {
    random = new Random(seed);
    lives = new LifeCycle(day, random);
    int neverHeardOf = Math.max(2, orders / 60);
    int endLost = Math.max(3, orders / 25);
    int sameSecond = Math.max(2, orders / 75);
    int deletions = Math.min(8, Math.max(2, orders / 60));
    List<Integer> numbers = new ArrayList<>();
    for (int number = 1; number <= orders; number++) {
      numbers.add(number);
    }
    Collections.shuffle(numbers, random);
    for (int i = 0; i < orders; i++) {
      List<Step> life = lives.live(numbers.get(i));
      int place = i;
      if ((place -= neverHeardOf) < 0) {
        life.forEach(this::lose);
      } else if ((place -= endLost) < 0) {
        life.subList(0, life.size() - 1).forEach(this::deliverInTime);
        lose(life.get(life.size() - 1));
      } else if ((place -= sameSecond) < 0) {
        life.forEach(this::deliverInTime);
        change(silentChanges, lives.again(life.get(life.size() - 1)));
        events++;
        lost++;
      } else {
        life.forEach(this::deliverSomehow);
        if (place < deletions) {
          deleted.add(life.get(0).orderId());
        }
      }
    }
  }

  /** Changes of a wave, in the order they happen. */
  List<Step> changes(int wave) {
    return changes.getOrDefault(wave, List.of()).stream()
        .sorted(java.util.Comparator.comparing(Step::at))
        .toList();
  }

  /** Changes of a wave that come after its last delivery; their events are lost. */
  List<Step> silentChanges(int wave) {
    return silentChanges.getOrDefault(wave, List.of());
  }

  /** What is delivered in a wave, in no order; late ones are delivered in the last. */
  List<PlannedEvent> deliveries(int wave) {
    List<PlannedEvent> due = new ArrayList<>(deliveries.getOrDefault(wave, List.of()));
    Collections.shuffle(due, random);
    return due;
  }

  /** Ids of the orders that the platform deletes at the end of the day, without an event. */
  Set<String> deleted() {
    return deleted;
  }

  int events() {
    return events;
  }

  int lost() {
    return lost;
  }

  private void deliverSomehow(Step step) {
    if (random.nextInt(33) == 0) {
      lose(step);
      return;
    }
    int first = random.nextInt(16) == 0 ? later(step.wave()) : step.wave();
    PlannedEvent event = deliver(step, first);
    while (random.nextInt(8) == 0) {
      deliveries.computeIfAbsent(later(first), wave -> new ArrayList<>()).add(event);
    }
  }

  private void deliverInTime(Step step) {
    deliver(step, step.wave());
  }

  private PlannedEvent deliver(Step step, int wave) {
    change(changes, step);
    events++;
    PlannedEvent event = new PlannedEvent("evt_%06d".formatted(events), step);
    deliveries.computeIfAbsent(wave, any -> new ArrayList<>()).add(event);
    return event;
  }

  private void lose(Step step) {
    change(changes, step);
    events++;
    lost++;
  }

  private static void change(Map<Integer, List<Step>> where, Step step) {
    where.computeIfAbsent(step.wave(), wave -> new ArrayList<>()).add(step);
  }

  private int later(int wave) {
    return Math.min(LAST_WAVE, wave + random.nextInt(3));
  }
}
