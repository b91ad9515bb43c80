package io.hooktally.store.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hooktally.store.Lease;
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
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What people do about parked events and consumers: order, counts and the record of it. */
class ParkedEventsIT {
  private static final ConsumerRef MAIL = new ConsumerRef("mail", "shop");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Jdbi jdbi;
  private Consumers consumers;
  private DispatchQueue queue;
  private ParkedEvents parked;
  private Lease keys;
  private int number;

  @BeforeEach
  void register() {
    jdbi = database.get().jdbi();
    consumers = new Consumers(jdbi);
    consumers.register(MAIL, "^(order\\..*)$");
    queue = new DispatchQueue(jdbi, MAIL, "one");
    parked = new ParkedEvents(jdbi, "one");
    keys = new Leases(jdbi).acquire("key:mail:shop", "one", MINUTE).orElseThrow();
  }

  @Test
  void whileAnEventIsParkedLaterOnesOfItsKeyAreHeldAndOthersFlow() {
    receive("a", "a", "b");
    parkNext("a");

    assertThat(sums()).isEqualTo(new DispatchSums(3, 0, 1, 1, 1, 0));
    assertThat(handOver()).containsExactly("evt_3");
    assertThat(handOver()).isEmpty();
    assertThat(sums()).isEqualTo(new DispatchSums(3, 1, 0, 1, 1, 0));
    receive("a");
    assertThat(sums().held()).isEqualTo(2);
    assertThat(handOver()).isEmpty();
  }

  @Test
  void whatIsRetriedGoesFirstAndWhatWasHeldFollowsInOrder() {
    receive("a", "a", "a");
    parkNext("a");
    receive("a");

    assertThat(parked.retry(ParkedFilter.of(parkedId("evt_1")), "ada")).isEqualTo(1);

    assertThat(sums()).isEqualTo(new DispatchSums(4, 0, 4, 0, 0, 0));
    List<Claimed> rows = claim().get(0);
    assertThat(rows)
        .extracting(Claimed::eventId)
        .containsExactly("evt_1", "evt_2", "evt_3", "evt_4");
    assertThat(rows.get(0).attempts()).isZero();
    jdbi.useTransaction(handle -> queue.done(handle, rows));
    assertThat(sums()).isEqualTo(new DispatchSums(4, 4, 0, 0, 0, 0));
  }

  @Test
  void ofTwoParkedOfOneKeyTheSecondHoldsWhatIsBehindIt() {
    receive("a", "a", "a");
    // Parked before keys were held, as it may be after a change of the configuration.
    consumers.register(MAIL, "^(order\\..*)$", false);
    parkNext("a");
    parkNext("a");
    consumers.register(MAIL, "^(order\\..*)$", true);

    parked.retry(ParkedFilter.of(parkedId("evt_1")), "ada");

    assertThat(handOver()).as("not what is behind evt_2").containsExactly("evt_1");
    assertThat(handOver()).isEmpty();
    parked.retry(ParkedFilter.of(parkedId("evt_2")), "ada");
    assertThat(handOver()).containsExactly("evt_2", "evt_3");
  }

  @Test
  void withoutHoldKeyLaterEventsDoNotWait() {
    consumers.register(MAIL, "^(order\\..*)$", false);
    receive("a", "a");
    parkNext("a");

    assertThat(sums()).isEqualTo(new DispatchSums(2, 0, 1, 0, 1, 0));
    assertThat(handOver()).containsExactly("evt_2");
  }

  @Test
  void whatIsHeldInOneLaneIsNotHeldInAnother() {
    receive("a", "a");
    parkNext("a");
    jdbi.useHandle(
        handle ->
            handle.execute("update dispatch set lane = 'reconcile' where event_id = 'evt_2'"));

    assertThat(handOver()).containsExactly("evt_2");
  }

  @Test
  void whatCouldNotBeReadIsReadAgainAndGoesAheadOfWhatCameLater() {
    deliver("order.placed", "no json");
    queue.key(keys, List.of(Keyed.invalid(queue.unkeyed(1).get(0).id(), "not JSON")));
    receive("a");

    parked.retry(ParkedFilter.ALL, "ada");
    assertThat(claim()).as("its key may be any").isEmpty();

    assertThat(queue.unkeyed(10)).hasSize(1);
    queue.key(keys, List.of(Keyed.entity(queue.unkeyed(1).get(0).id(), "order", "order/a")));
    assertThat(handOver()).containsExactly("evt_1", "evt_2");
    assertThat(sums()).isEqualTo(new DispatchSums(2, 2, 0, 0, 0, 0));
  }

  @Test
  void aRowThatIsRetriedWithoutAKeyIsNotOvertakenByTheRestOfABurst() {
    receive("a");
    deliver("order.placed", "no json");
    queue.key(keys, List.of(Keyed.invalid(queue.unkeyed(1).get(0).id(), "not JSON")));
    receive("a");

    parked.retry(ParkedFilter.ALL, "ada");

    assertThat(handOver()).containsExactly("evt_1");
    assertThat(handOver()).isEmpty();
  }

  @Test
  void whatIsDiscardedIsCountedAndKeptOnRecordAndHoldsNothingAnyMore() {
    receive("a", "a");
    parkNext("a");

    assertThat(parked.discard(ParkedFilter.ALL, "ada", "a test order")).isEqualTo(1);

    assertThat(sums()).isEqualTo(new DispatchSums(2, 0, 1, 0, 0, 1));
    assertThat(handOver()).containsExactly("evt_2");
    assertThat(new Audit(jdbi).list(Long.MAX_VALUE, 10))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.who()).isEqualTo("ada");
              assertThat(entry.action()).isEqualTo("discard");
              assertThat(entry.subject()).startsWith("parked ");
              assertThat(entry.detail().path("reason").asText()).isEqualTo("a test order");
              assertThat(entry.detail().path("event").asText()).isEqualTo("evt_1");
              assertThat(entry.detail().path("key").asText()).isEqualTo("order/a");
              assertThat(entry.detail().path("error").asText()).isEqualTo("it says no");
            });
    assertThat(parked.discard(ParkedFilter.ALL, "ada", "again")).isZero();
    assertThat(parked.retry(ParkedFilter.ALL, "ada")).isZero();
    assertThat(new Audit(jdbi).list(Long.MAX_VALUE, 10)).hasSize(1);
  }

  @Test
  void filtersChoose() {
    receive("a", "b", "c");
    for (String key : List.of("a", "b", "c")) {
      parkNext(key);
    }
    deliver("order.cancelled", "no json");
    queue.key(keys, List.of(Keyed.invalid(queue.unkeyed(1).get(0).id(), "not JSON")));

    assertThat(ids(filter(null, null, null, null, null))).hasSize(4);
    assertThat(ids(filter(Parked.Kind.INVALID, null, null, null, null))).containsExactly("evt_4");
    assertThat(ids(filter(null, "order/b", null, null, null))).containsExactly("evt_2");
    assertThat(ids(filter(null, null, "^(?:order\\.c.*)$", null, null))).containsExactly("evt_4");
    assertThat(ids(filter(null, null, null, "evt_3", null))).containsExactly("evt_3");
    assertThat(ids(filter(null, null, null, null, "says"))).hasSize(3);
    assertThat(parked.list(ParkedFilter.of(ConsumerRef.replica("shop")), 0, 10)).isEmpty();
    Parked first = parked.list(ParkedFilter.of(MAIL), 0, 1).get(0);
    assertThat(parked.list(ParkedFilter.of(MAIL), first.id(), 10)).hasSize(3);
    assertThat(parked.find(first.id())).hasValue(first);
    assertThat(first.topic()).isEqualTo("order.placed");

    assertThat(parked.retry(filter(Parked.Kind.POISON, null, null, null, "says"), "ada"))
        .isEqualTo(3);
    assertThat(new Audit(jdbi).list(Long.MAX_VALUE, 10))
        .extracting(AuditEntry::action, AuditEntry::who, entry -> entry.detail().toString())
        .containsExactly(
            tuple(
                "retry",
                "ada",
                "{\"kind\":\"poison\",\"error\":\"says\",\"events\":3,\"source\":\"shop\"}"));
    assertThat(sums()).isEqualTo(new DispatchSums(4, 0, 3, 0, 1, 0));
  }

  @Test
  void aPausedConsumerIsHandedNothingByAnyInstanceAndItsKeysAreFilledInAllTheSame() {
    receive("a");
    assertThat(consumers.pause(MAIL, "ada", "it is being moved")).isTrue();
    assertThat(consumers.pause(MAIL, "bob", "too")).isFalse();
    receive("b");

    assertThat(queue.unkeyed(10)).isEmpty();
    assertThat(claim()).isEmpty();
    assertThat(new DispatchQueue(jdbi, MAIL, "two").claim(NOW, MINUTE, 10, 10)).isEmpty();
    assertThat(consumers.list())
        .singleElement()
        .satisfies(
            state -> {
              assertThat(state.pending()).isEqualTo(2);
              assertThat(state.oldest()).isPositive();
              assertThat(state.pause())
                  .isNotNull()
                  .extracting(ConsumerState.Pause::by, ConsumerState.Pause::reason)
                  .containsExactly("ada", "it is being moved");
            });

    // Started anew, it is paused still.
    consumers.register(MAIL, "^(order\\..*)$");
    assertThat(claim()).isEmpty();
    assertThat(consumers.resume(MAIL, "bob")).isTrue();
    assertThat(consumers.resume(MAIL, "bob")).isFalse();
    assertThat(handOver()).containsExactlyInAnyOrder("evt_1", "evt_2");
    assertThat(new Audit(jdbi).list(Long.MAX_VALUE, 10))
        .extracting(AuditEntry::action, AuditEntry::who, AuditEntry::subject)
        .containsExactly(
            tuple("resume", "bob", "mail of shop"), tuple("pause", "ada", "mail of shop"));
    assertThat(consumers.pause(new ConsumerRef("none", "shop"), "ada", "x")).isFalse();
  }

  private static ParkedFilter filter(
      Parked.Kind kind, String key, String pattern, String event, String error) {
    return new ParkedFilter(null, "shop", null, kind, key, pattern, event, error);
  }

  private List<String> ids(ParkedFilter filter) {
    return parked.list(filter, 0, 10).stream().map(Parked::eventId).toList();
  }

  private long parkedId(String event) {
    return parked.list(ParkedFilter.ALL, 0, 10).stream()
        .filter(one -> one.eventId().equals(event))
        .findFirst()
        .orElseThrow()
        .id();
  }

  private DispatchSums sums() {
    DispatchSums sums = queue.sums();
    assertThat(sums.holds()).isTrue();
    return sums;
  }

  /** Parks the first claimable row of the key; the others are given back. */
  private void parkNext(String key) {
    for (List<Claimed> rows : claim()) {
      boolean wanted = rows.get(0).key().equals("order/" + key);
      if (wanted) {
        queue.park(rows.get(0), Parked.Kind.POISON, "it says no");
      }
      rows.subList(wanted ? 1 : 0, rows.size()).forEach(row -> queue.release(row, "a test"));
    }
  }

  /** Hands over what one claim gives. */
  private List<String> handOver() {
    List<String> handed = new ArrayList<>();
    for (List<Claimed> rows : claim()) {
      rows.forEach(row -> handed.add(row.eventId()));
      jdbi.useTransaction(handle -> queue.done(handle, rows));
    }
    return handed;
  }

  private List<List<Claimed>> claim() {
    return queue.claim(NOW, MINUTE, 10, 100);
  }

  private void receive(String... ids) {
    for (String id : ids) {
      deliver("order.placed", id);
      queue.key(
          keys,
          queue.unkeyed(500).stream()
              .filter(row -> row.bodies().event().length == 1)
              .map(row -> Keyed.entity(row.id(), "order", "order/" + text(row.bodies().event())))
              .toList());
    }
  }

  private void deliver(String topic, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    new Inbox(jdbi, "one")
        .store(
            List.of(
                new Delivery("shop", "evt_" + ++number, topic, Map.of(), bytes, sha256(bytes))));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
