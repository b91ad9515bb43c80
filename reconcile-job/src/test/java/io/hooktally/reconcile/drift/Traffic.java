package io.hooktally.reconcile.drift;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.testing.FakeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Live traffic while a run is at work: changes at the source whose events arrive at once, are under
 * way, or are received and still pending. No event is lost, and none is under way for longer than
 * the run's next pause. Thread-safe.
 */
final class Traffic {
  private static final int ENTITIES = 8;
  private static final int MOST_STEPS = 40;

  /** An event that the replica has not seen; due by the source's clock. */
  private record Open(Instant due, Runnable delivery) {}

  private final FakeSource source;
  private final InstantSource sourceClock;
  private final LiveWay live;
  private final Duration lag;
  private final Random random;
  private final List<String> touchable;
  private final List<Open> open = new ArrayList<>();
  private final List<ObjectNode> old = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private boolean flows;
  private int steps;
  private int created;

  Traffic(
      FakeSource source,
      InstantSource sourceClock,
      LiveWay live,
      Duration lag,
      Random random,
      List<String> touchable) {
    this.source = source;
    this.sourceClock = sourceClock;
    this.live = live;
    this.lag = lag;
    this.random = random;
    this.touchable = touchable;
  }

  static List<String> ids() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < ENTITIES; i++) {
      ids.add("live" + i);
    }
    return ids;
  }

  void flow(boolean on) {
    lock.lock();
    try {
      flows = on;
    } finally {
      lock.unlock();
    }
  }

  /** Whenever the run asks the source for something; the requests of live reads are not its. */
  void onRequest() {
    if (!lock.tryLock()) {
      return;
    }
    try {
      if (flows && steps < MOST_STEPS && random.nextInt(3) == 0) {
        steps++;
        step();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whenever the run waits, once time has passed: what is due arrives. */
  void onPause() {
    lock.lock();
    try {
      deliver();
      if (flows && random.nextBoolean()) {
        step();
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many changes there were. */
  int steps() {
    return steps;
  }

  boolean isAllDelivered() {
    return open.isEmpty();
  }

  private void deliver() {
    Instant now = sourceClock.instant();
    List<Open> due = open.stream().filter(one -> !one.due().isAfter(now)).toList();
    open.removeAll(due);
    due.forEach(one -> one.delivery().run());
  }

  private void step() {
    String id = ids().get(random.nextInt(ENTITIES));
    boolean exists = source.orders().containsKey(id);
    switch (random.nextInt(8)) {
      case 0 -> {
        String fresh = "fresh" + created++;
        source.put(fresh, now());
        event(fresh);
      }
      case 1 -> {
        if (exists) {
          source.delete(id);
          event(id);
        }
      }
      case 2 -> {
        // two changes at one instant
        Instant both = now();
        source.put(id, both);
        event(id);
        source.change(id, both, "status", "again" + steps);
        event(id);
      }
      case 3 -> {
        if (!old.isEmpty()) {
          ObjectNode late = old.get(random.nextInt(old.size()));
          payload(late);
        }
      }
      case 4 -> {
        if (!touchable.isEmpty()) {
          String touched = touchable.get(random.nextInt(touchable.size()));
          source.put(touched, now());
          event(touched);
        }
      }
      default -> {
        source.put(id, now());
        source.change(id, now(), "status", "live" + steps);
        event(id);
      }
    }
  }

  private Instant now() {
    return sourceClock.instant().plusNanos(steps * 10L + random.nextInt(10));
  }

  private void event(String id) {
    ObjectNode order = source.orders().containsKey(id) ? source.aggregate(id) : null;
    if (order != null) {
      old.add(order);
    }
    boolean carriesOrder = order != null && random.nextBoolean();
    Runnable delivery = carriesOrder ? () -> payload(order) : () -> trigger(id);
    switch (random.nextInt(3)) {
      case 0 -> delivery.run();
      case 1 -> open.add(new Open(Instant.MIN, delivery));
      default -> {
        Runnable end = live.received(id);
        open.add(
            new Open(
                Instant.MIN,
                () -> {
                  delivery.run();
                  end.run();
                }));
      }
    }
  }

  private void payload(ObjectNode order) {
    if (live.payload(order)) {
      afterLag(order.get("id").asText());
    }
  }

  private void trigger(String id) {
    live.read(id);
    afterLag(id);
  }

  // The source may not have shown yet what it announced: the event waits, and is read once more.
  private void afterLag(String id) {
    if (!lag.isZero()) {
      Runnable end = live.received(id);
      open.add(
          new Open(
              sourceClock.instant().plus(lag),
              () -> {
                live.read(id);
                end.run();
              }));
    }
  }
}
