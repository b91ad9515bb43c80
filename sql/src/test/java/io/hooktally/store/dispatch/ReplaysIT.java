package io.hooktally.store.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.store.Lane;
import io.hooktally.store.Leases;
import io.hooktally.store.inbox.Delivery;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Stored events go again under their own ids, and are counted. */
class ReplaysIT {
  private static final ConsumerRef REPLICA = ConsumerRef.replica("shop");
  private static final ConsumerRef MAIL = new ConsumerRef("mail", "shop");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Jdbi jdbi;
  private Replays replays;
  private DispatchQueue queue;

  @BeforeEach
  void store() {
    jdbi = database.get().jdbi();
    replays = new Replays(jdbi, "one");
    queue = new DispatchQueue(jdbi, REPLICA, "one");
    new Consumers(jdbi).register(REPLICA, "^(order\\..*)$");
    new Consumers(jdbi).register(MAIL, "^(.*)$");
    deliver("e1", "order.placed", "a");
    deliver("e2", "order.updated", "b");
    deliver("e3", "customer.created", "c");
    deliver("e4", null, "d");
    for (int day = 1; day <= 4; day++) {
      at("e" + day, "2026-01-0" + day + "T00:00:00Z");
    }
    handOverAll();
  }

  @Test
  void aSpanGoesAgainToAllWhoTakeItsTopics() {
    Replayed replayed = replay(null, null, null);

    assertThat(replayed).isEqualTo(new Replayed(1, 4, 7, 0));
    assertThat(sums(REPLICA)).isEqualTo(new DispatchSums(6, 3, 3, 0, 0, 0));
    assertThat(sums(MAIL)).isEqualTo(new DispatchSums(8, 4, 4, 0, 0, 0));
    assertThat(replay(null, null, null))
        .as("as often as one likes")
        .isEqualTo(new Replayed(2, 4, 7, 0));
    assertThat(sums(REPLICA).dispatched()).isEqualTo(9);
  }

  @Test
  void theEndOfASpanIsExclusiveAndTopicAndConsumerChoose() {
    assertThat(replay("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", null, null, null).events())
        .isEqualTo(1);
    assertThat(replay("^(?:order\\..*)$", "mail", null)).isEqualTo(new Replayed(2, 2, 2, 0));
    assertThat(sums(REPLICA).pending()).as("only of the first").isEqualTo(1);
    assertThat(replay(null, "nobody", null)).isEqualTo(new Replayed(3, 0, 0, 0));
  }

  @Test
  void whatTheLedgerDoesNotTellIsLookedAt() {
    Replayed replayed =
        replay(
            "^(?:order\\..*)$",
            "replica",
            (topic, body) -> topic == null || new String(body, StandardCharsets.UTF_8).equals("b"));

    assertThat(replayed).isEqualTo(new Replayed(1, 2, 2, 0));
    assertThat(queue.unkeyed(10)).extracting(Unkeyed::topic).containsExactly("order.updated", null);
  }

  @Test
  void whatHasNoPayloadAnyMoreIsCountedAsLost() {
    jdbi.useHandle(
        handle ->
            handle.execute("delete from event_payload where received_at < '2026-01-03T00:00:00Z'"));

    assertThat(replay(null, null, null)).isEqualTo(new Replayed(1, 2, 3, 2));
    assertThat(replay("^(?:order\\.placed)$", null, null)).isEqualTo(new Replayed(2, 0, 0, 1));
    assertThat(replay(null, null, (topic, body) -> false)).isEqualTo(new Replayed(3, 0, 0, 2));
  }

  @Test
  void whatIsReplayedComesBehindLiveEventsInItsOwnLane() {
    replay(null, "replica", null);
    deliver("e5", "order.placed", "a");

    assertThat(queue.unkeyed(1)).extracting(Unkeyed::topic).containsExactly("order.placed");
    key();
    List<List<Claimed>> first = queue.claim(NOW, MINUTE, 1, 10);
    assertThat(first.get(0)).extracting(Claimed::eventId).containsExactly("e5");
    // Across lanes a key is never in flight twice.
    List<List<Claimed>> rest = queue.claim(NOW, MINUTE, 10, 10);
    assertThat(rest)
        .allSatisfy(rows -> assertThat(rows.get(0).lane()).isEqualTo(Lane.REPLAY))
        .extracting(rows -> rows.get(0).eventId())
        .containsExactlyInAnyOrder("e2", "e4");
  }

  @Test
  void aReplayIsOnRecord() {
    replays.replay(span(null, null), null, "ada", Map.of("source", "shop", "from", "2026-01-01"));

    assertThat(new Audit(jdbi).list(Long.MAX_VALUE, 10))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.who()).isEqualTo("ada");
              assertThat(entry.action()).isEqualTo("replay");
              assertThat(entry.subject()).isEqualTo("replay 1");
              assertThat(entry.detail().path("from").asText()).isEqualTo("2026-01-01");
              assertThat(entry.detail().path("events").asInt()).isEqualTo(4);
            });
  }

  private Replayed replay(
      @Nullable String pattern, @Nullable String consumer, ReplaySpan.@Nullable Test test) {
    return replays.replay(span(pattern, consumer), test, "ada", Map.of());
  }

  private Replayed replay(
      String from,
      String to,
      @Nullable String pattern,
      @Nullable String consumer,
      ReplaySpan.@Nullable Test test) {
    ReplaySpan span =
        new ReplaySpan("shop", Instant.parse(from), Instant.parse(to), pattern, consumer);
    return replays.replay(span, test, "ada", Map.of());
  }

  private static ReplaySpan span(@Nullable String pattern, @Nullable String consumer) {
    return new ReplaySpan(
        "shop",
        Instant.parse("2026-01-01T00:00:00Z"),
        Instant.parse("2026-02-01T00:00:00Z"),
        pattern,
        consumer);
  }

  private DispatchSums sums(ConsumerRef consumer) {
    DispatchSums sums = new DispatchQueue(jdbi, consumer, "one").sums();
    assertThat(sums.holds()).isTrue();
    return sums;
  }

  private void handOverAll() {
    for (ConsumerRef consumer : List.of(REPLICA, MAIL)) {
      DispatchQueue each = new DispatchQueue(jdbi, consumer, "one");
      key(each);
      for (List<Claimed> rows : each.claim(NOW, MINUTE, 10, 10)) {
        jdbi.useTransaction(handle -> each.done(handle, rows));
      }
    }
  }

  private void key() {
    key(queue);
  }

  private void key(DispatchQueue each) {
    Leases leases = new Leases(jdbi);
    var lease = leases.acquire("key:" + each.consumer(), "one", MINUTE).orElseThrow();
    each.key(
        lease,
        each.unkeyed(10).stream()
            .map(
                row ->
                    Keyed.entity(
                        row.id(),
                        "order",
                        "order/" + new String(row.bodies().event(), StandardCharsets.UTF_8)))
            .toList());
    leases.release(lease);
  }

  private void deliver(String id, @Nullable String topic, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    new Inbox(jdbi, "one")
        .store(List.of(new Delivery("shop", id, topic, Map.of(), bytes, sha256(bytes))));
  }

  private void at(String event, String time) {
    jdbi.useHandle(
        handle -> {
          handle.execute(
              "update event_payload set received_at = ?::timestamptz where event_seq ="
                  + " (select seq from processed_event where event_id = ?)",
              time,
              event);
          handle.execute(
              "update processed_event set first_received_at = ?::timestamptz where event_id = ?",
              time,
              event);
        });
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
