package io.hooktally.store.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hooktally.store.Lease;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import io.hooktally.store.inbox.Delivery;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DispatchQueueIT {
  private static final ConsumerRef REPLICA = ConsumerRef.replica("revenexx");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Jdbi jdbi;
  private DispatchQueue queue;
  private Lease keys;
  private int number;

  @BeforeEach
  void register() {
    jdbi = database.get().jdbi();
    new Consumers(jdbi).register(REPLICA, "^(order\\..*)$");
    queue = new DispatchQueue(jdbi, REPLICA, "one");
    keys = new Leases(jdbi).acquire("key:replica:revenexx", "one", MINUTE).orElseThrow();
  }

  @Test
  void oneRowPerEventOfItsTopicsAndTheSumHolds() {
    receive("order.placed", "a");
    receive("customer.created", "b");

    assertThat(queue.unkeyed(10))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.topic()).isEqualTo("order.placed");
              assertThat(row.bodies().event()).isEqualTo(bytes("a"));
            });
    assertThat(queue.sums()).isEqualTo(new DispatchSums(1, 0, 1, 0, 0, 0));
    assertThat(queue.sums().holds()).isTrue();
  }

  @Test
  void nothingOvertakesARowWhoseKeyIsNotKnownYet() {
    receive("order.placed", "a");
    receive("order.placed", "b");
    List<Unkeyed> rows = queue.unkeyed(10);
    queue.key(keys, List.of(Keyed.entity(rows.get(1).id(), "order", "order/b")));

    assertThat(claim(10)).isEmpty();

    queue.key(keys, List.of(Keyed.entity(rows.get(0).id(), "order", "order/a")));
    assertThat(claim(10)).hasSize(2);
  }

  @Test
  void keysAreFilledInUnderALeaseOnly() {
    receive("order.placed", "a");
    Leases leases = new Leases(jdbi);
    leases.release(keys);
    assertThat(leases.acquire("key:replica:revenexx", "two", MINUTE)).isPresent();

    assertThatThrownBy(this::fillIn).isInstanceOf(LeaseLostException.class);
    assertThat(queue.unkeyed(10)).hasSize(1);
  }

  @Test
  void theRowsOfOneKeyAreClaimedTogetherAndInOrder() {
    for (String body : List.of("a", "b", "a", "a")) {
      receive("order.placed", body);
    }
    fillIn();

    List<List<Claimed>> claims = claim(10);

    assertThat(claims).extracting(List::size).containsExactlyInAnyOrder(3, 1);
    assertThat(claims).allSatisfy(rows -> assertThat(rows).extracting(Claimed::id).isSorted());
    assertThat(claim(10)).isEmpty();
  }

  @Test
  void aRetryHoldsItsKeyUntilItIsDueAndAWaitForLagDoesNot() {
    receive("order.placed", "a");
    fillIn();
    Claimed first = claim(1).get(0).get(0);
    receive("order.updated", "a");
    fillIn();
    queue.retry(first, NOW.plusSeconds(10), "failed");

    assertThat(claim(10)).isEmpty();
    List<Claimed> due = queue.claim(NOW.plusSeconds(10), MINUTE, 10, 1).get(0);
    assertThat(due).singleElement().extracting(Claimed::attempts).isEqualTo(1);
    jdbi.useTransaction(handle -> queue.waitForLag(handle, due.get(0), NOW.plusSeconds(70)));

    List<Claimed> second = queue.claim(NOW.plusSeconds(10), MINUTE, 10, 1).get(0);
    assertThat(second.get(0).id()).isGreaterThan(first.id());
  }

  @Test
  void whoLostAClaimWritesNothing() {
    receive("order.placed", "a");
    fillIn();
    Claimed stalled = queue.claim(NOW, Duration.ZERO, 1, 1).get(0).get(0);
    Claimed taken = claim(1).get(0).get(0);
    assertThat(taken.id()).isEqualTo(stalled.id());

    assertThatThrownBy(() -> jdbi.useTransaction(handle -> queue.done(handle, List.of(stalled))))
        .isInstanceOf(ClaimLostException.class);
    assertThatThrownBy(() -> queue.park(stalled, Parked.Kind.POISON, "x"))
        .isInstanceOf(ClaimLostException.class);
    queue.release(stalled, "x");
    queue.retry(stalled, NOW, "x");

    jdbi.useTransaction(handle -> queue.done(handle, List.of(taken)));
    assertThat(queue.sums()).isEqualTo(new DispatchSums(1, 1, 0, 0, 0, 0));
  }

  @Test
  void whatIsParkedStaysWholeAndCounts() {
    receive("order.placed", "a");
    receive("order.placed", "no json");
    List<Unkeyed> rows = queue.unkeyed(10);
    queue.key(
        keys,
        List.of(
            Keyed.entity(rows.get(0).id(), "order", "order/a"),
            Keyed.invalid(rows.get(1).id(), "not JSON, line 1, column 1")));
    queue.park(claim(1).get(0).get(0), Parked.Kind.POISON, "it says no");

    assertThat(queue.parked(0, 10))
        .extracting(Parked::kind, Parked::key, Parked::error)
        .containsExactly(
            tuple(Parked.Kind.INVALID, null, "not JSON, line 1, column 1"),
            tuple(Parked.Kind.POISON, "order/a", "it says no"));
    assertThat(queue.sums()).isEqualTo(new DispatchSums(2, 0, 0, 0, 2, 0));
  }

  // Rule 3, over two instances: of a key only one event is in flight, and in the order they came.
  @Test
  void twoInstancesNeverShareAKeyAndKeepItsOrder() throws Exception {
    int events = 1200;
    for (int i = 0; i < events; i++) {
      receive("order.updated", "k" + i % 40);
      if (i % 100 == 99) {
        fillIn();
      }
    }
    Map<String, Long> last = new HashMap<>();
    Set<String> inFlight = ConcurrentHashMap.newKeySet();
    AtomicInteger done = new AtomicInteger();
    List<String> faults = Collections.synchronizedList(new ArrayList<>());
    Callable<Void> instance =
        () -> {
          DispatchQueue own = new DispatchQueue(jdbi, REPLICA, Thread.currentThread().getName());
          while (done.get() < events && faults.isEmpty()) {
            for (List<Claimed> rows : own.claim(NOW, MINUTE, 5, 3)) {
              String key = rows.get(0).key();
              if (!inFlight.add(key)) {
                faults.add(key + " is in flight twice");
              }
              synchronized (last) {
                for (Claimed row : rows) {
                  if (row.id() <= last.getOrDefault(key, 0L)) {
                    faults.add(key + " out of order");
                  }
                  last.put(key, row.id());
                }
              }
              inFlight.remove(key);
              jdbi.useTransaction(handle -> own.done(handle, rows));
              done.addAndGet(rows.size());
            }
          }
          return null;
        };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (Future<Void> ended :
          threads.invokeAll(List.of(instance, instance, instance, instance))) {
        ended.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(faults).isEmpty();
    assertThat(queue.sums()).isEqualTo(new DispatchSums(events, events, 0, 0, 0, 0));
  }

  private void receive(String topic, String body) {
    new Inbox(jdbi, "one")
        .store(
            List.of(
                new Delivery(
                    "revenexx",
                    "evt_" + ++number,
                    topic,
                    Map.of(),
                    bytes(body),
                    sha256(bytes(body)))));
  }

  private void fillIn() {
    queue.key(
        keys,
        queue.unkeyed(500).stream()
            .map(
                row ->
                    Keyed.entity(
                        row.id(),
                        "order",
                        "order/" + new String(row.bodies().event(), StandardCharsets.UTF_8)))
            .toList());
  }

  private List<List<Claimed>> claim(int limit) {
    return queue.claim(NOW, MINUTE, limit, 100);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
