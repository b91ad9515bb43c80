package io.hooktally.store.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hooktally.store.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events are stored once, whatever comes together with them. */
class InboxIT {
  private static final String SOURCE = "shop";
  private static final YearMonth JANUARY = YearMonth.of(2020, 1);

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Jdbi jdbi;
  private Inbox inbox;

  @BeforeEach
  void open() {
    jdbi = database.get().jdbi();
    inbox = new Inbox(jdbi, "one");
    jdbi.useHandle(
        handle -> {
          handle.execute("insert into consumer (name, source) values ('replica', 'shop')");
          handle.execute(
              "insert into consumer (name, source, topic_pattern)"
                  + " values ('mail', 'shop', '^(?:order\\.placed)$')");
        });
  }

  @Test
  void storesBodyHeadersAndDispatchRowsWithTheId() {
    Delivery delivery =
        new Delivery(
            SOURCE,
            "evt_1",
            "order.placed",
            Map.of("X-A", List.of("1", "ü\"\u0001")),
            new byte[] {0, -1, 'x'},
            sha256(new byte[] {0, -1, 'x'}));

    assertThat(inbox.store(List.of(delivery))).containsExactly(Receipt.STORED);

    Payload payload = inbox.payload(SOURCE, "evt_1").orElseThrow();
    assertThat(payload.body()).isEqualTo(delivery.body());
    assertThat(payload.headers()).isEqualTo(delivery.headers());
    ProcessedEvent event = inbox.event(SOURCE, "evt_1").orElseThrow();
    assertThat(event.topic()).isEqualTo("order.placed");
    assertThat(event.deliveries()).isOne();
    assertThat(event.conflicts()).isZero();
    assertThat(
            rows("select consumer || ' ' || lane || ' ' || conflict_id from dispatch order by 1"))
        .containsExactly("mail live 0", "replica live 0");
    assertThat(
            rows(
                "select 'same' from dispatch d join processed_event e using (source, event_id)"
                    + " where d.received_at = e.first_received_at"))
        .hasSize(2);
    assertThat(counts()).containsExactly("mail one 1", "replica one 1");
  }

  @Test
  void writesDispatchRowsOnlyForConsumersWhoseTopicsMatch() {
    inbox.store(List.of(delivery("evt_1", "order.held", "{}"), delivery("evt_2", null, "{}")));

    assertThat(rows("select event_id || ' ' || consumer from dispatch order by 1"))
        .containsExactly("evt_1 replica", "evt_2 mail", "evt_2 replica");
  }

  @Test
  void answersEachOfABatchWithDuplicatesAndConflictsInside() {
    inbox.store(List.of(delivery("known", "{}")));

    List<Receipt> receipts =
        inbox.store(
            List.of(
                delivery("new", "{}"),
                delivery("known", "{}"),
                delivery("new", "{}"),
                delivery("new", "{\"other\":1}"),
                delivery("known", "{\"other\":1}"),
                delivery("a", "{}")));

    assertThat(receipts)
        .containsExactly(
            Receipt.STORED,
            Receipt.DUPLICATE,
            Receipt.DUPLICATE,
            Receipt.CONFLICT,
            Receipt.CONFLICT,
            Receipt.STORED);
    assertThat(inbox.event(SOURCE, "new").orElseThrow().deliveries()).isEqualTo(3);
    assertThat(inbox.event(SOURCE, "known").orElseThrow().deliveries()).isEqualTo(3);
    assertThat(inbox.payload(SOURCE, "new").orElseThrow().body()).asString().isEqualTo("{}");
  }

  @Test
  void takesOnlyNewIdsAsNew() {
    inbox.store(deliveries(IntStream.of(2, 5, 7)));

    List<Receipt> receipts = inbox.store(deliveries(IntStream.range(0, 10)));

    assertThat(Collections.frequency(receipts, Receipt.STORED)).isEqualTo(7);
    assertThat(Collections.frequency(receipts, Receipt.DUPLICATE)).isEqualTo(3);
    assertThat(counts()).containsExactly("mail one 10", "replica one 10");
    assertThat(rows("select 'row' from dispatch")).hasSize(20);
  }

  @Test
  void keepsTenOtherBodiesPerIdAndTellsTheReplicaOfEachOnce() {
    inbox.store(List.of(delivery("evt", "first")));
    for (int again = 0; again < 2; again++) {
      for (int i = 0; i < 12; i++) {
        assertThat(inbox.store(List.of(delivery("evt", "other " + i))))
            .containsExactly(Receipt.CONFLICT);
      }
    }

    ProcessedEvent event = inbox.event(SOURCE, "evt").orElseThrow();
    assertThat(event.deliveries()).isEqualTo(25);
    assertThat(event.conflicts()).isEqualTo(24);
    List<Conflict> conflicts = inbox.conflicts(SOURCE, "evt");
    assertThat(conflicts).hasSize(10).allMatch(conflict -> conflict.deliveries() == 2);
    assertThat(conflicts.get(0).payload().body()).asString().isEqualTo("other 0");
    assertThat(inbox.conflict(conflicts.get(9).id()).orElseThrow().payload().body())
        .asString()
        .isEqualTo("other 9");
    assertThat(rows("select consumer from dispatch where conflict_id > 0"))
        .hasSize(10)
        .containsOnly("replica");
    assertThat(counts()).containsExactly("mail one 1", "replica one 11");
    assertThat(inbox.newestConflicts(SOURCE, Long.MAX_VALUE, 4))
        .extracting(OtherBody::bodySize, OtherBody::id)
        .containsExactly(
            tuple(7, conflicts.get(9).id()),
            tuple(7, conflicts.get(8).id()),
            tuple(7, conflicts.get(7).id()),
            tuple(7, conflicts.get(6).id()));
    assertThat(inbox.newestConflicts(SOURCE, conflicts.get(1).id(), 4)).hasSize(1);
    assertThat(inbox.payload(SOURCE, "evt").orElseThrow().body()).asString().isEqualTo("first");
  }

  @Test
  void alertsOfConflictsOnceADay() {
    inbox.store(List.of(delivery("evt", "first"), delivery("evt2", "first")));
    for (int i = 0; i < 30; i++) {
      inbox.store(List.of(delivery("evt", "other " + i), delivery("evt2", "other " + i)));
    }
    assertThat(rows("select kind || ' ' || source from alert")).containsExactly("conflict shop");

    jdbi.useHandle(
        handle -> handle.execute("update alert set created_at = created_at - interval '25 hours'"));
    inbox.store(List.of(delivery("evt", "other 29"), delivery("evt", "other 0")));
    assertThat(rows("select kind from alert")).as("known bodies are nothing new").hasSize(1);
    inbox.store(List.of(delivery("evt3", "first")));
    inbox.store(List.of(delivery("evt3", "other")));
    assertThat(rows("select kind from alert")).hasSize(2);
  }

  @Test
  void letsABadDeliveryAnswerForItselfAlone() {
    List<Delivery> batch = new ArrayList<>(deliveries(IntStream.range(0, 49)));
    batch.add(
        17, new Delivery(SOURCE, "bad", null, Map.of("X-A", List.of("\u0000")), body(), hash()));
    batch.add(33, delivery("bad topic", "a\u0000b", "{}"));

    List<Receipt> receipts = inbox.store(batch);

    assertThat(receipts).hasSize(51);
    assertThat(receipts.get(17)).isEqualTo(Receipt.UNSTORABLE);
    assertThat(receipts.get(33)).isEqualTo(Receipt.UNSTORABLE);
    assertThat(Collections.frequency(receipts, Receipt.STORED)).isEqualTo(49);
    assertThat(inbox.event(SOURCE, "bad")).isEmpty();
    assertThat(rows("select 'row' from dispatch where consumer = 'replica'")).hasSize(49);
    assertThat(counts()).containsExactly("mail one 49", "replica one 49");
  }

  @Test
  void keepsBodiesThatJsonbWouldRefuse() {
    inbox.store(List.of(delivery("evt", "{\"a\":\"\\u0000\\ud800\",\"a\":1e999}")));

    assertThat(inbox.payload(SOURCE, "evt").orElseThrow().body())
        .asString()
        .isEqualTo("{\"a\":\"\\u0000\\ud800\",\"a\":1e999}");
  }

  @Test
  void storesOneRowForTwoHundredParallelDeliveriesOfOneEvent() throws Exception {
    Inbox second = new Inbox(jdbi, "two");
    List<Receipt> receipts =
        inParallel(
            200, i -> (i % 2 == 0 ? inbox : second).store(List.of(delivery("evt", "{}"))).get(0));

    assertThat(Collections.frequency(receipts, Receipt.STORED)).isOne();
    assertThat(Collections.frequency(receipts, Receipt.DUPLICATE)).isEqualTo(199);
    assertThat(inbox.event(SOURCE, "evt").orElseThrow().deliveries()).isEqualTo(200);
    assertThat(rows("select 'row' from dispatch")).hasSize(2);
    assertThat(rows("select 'row' from event_payload")).hasSize(1);
  }

  @Test
  void twoInstancesWithOverlappingBatchesDoNotLockEachOtherOut() throws Exception {
    Inbox second = new Inbox(jdbi, "two");
    inParallel(
        20,
        i -> {
          List<Delivery> batch = new ArrayList<>(deliveries(IntStream.range(i, i + 30)));
          if (i % 2 == 0) {
            Collections.reverse(batch);
          }
          List<Receipt> receipts = (i % 2 == 0 ? inbox : second).store(batch);
          assertThat(receipts).allMatch(Receipt::committed);
          return null;
        });

    assertThat(rows("select 'row' from processed_event")).hasSize(49);
    assertThat(rows("select cast(sum(deliveries) as text) from processed_event"))
        .containsExactly("600");
    assertThat(rows("select cast(sum(dispatched) as text) from dispatch_count"))
        .containsExactly("98");
  }

  @Test
  void callsADatabaseThatIsAwayUnavailable() {
    database.get().close();

    assertThat(inbox.store(deliveries(IntStream.range(0, 3))))
        .containsExactly(Receipt.UNAVAILABLE, Receipt.UNAVAILABLE, Receipt.UNAVAILABLE);
  }

  @Test
  void comparesIdsByteForByte() {
    List<Receipt> receipts =
        inbox.store(
            Stream.of("evt_a", "evt_A", "evt_a ", "evt-a").map(id -> delivery(id, "{}")).toList());

    assertThat(receipts).containsOnly(Receipt.STORED);
  }

  @Test
  void makesPartitionsAheadOnceHoweverManyDoSo() throws Exception {
    PayloadPartitions partitions = new PayloadPartitions(jdbi);
    inbox.store(List.of(delivery("before", "{}")));

    List<List<YearMonth>> made = inParallel(4, i -> partitions.makeAhead());

    assertThat(made.stream().flatMap(List::stream)).hasSize(4).doesNotHaveDuplicates();
    assertThat(rows("select 'row' from event_payload_default")).isEmpty();
    assertThat(inbox.payload(SOURCE, "before")).isPresent();
    inbox.store(List.of(delivery("after", "{}")));
    assertThat(rows("select 'row' from event_payload_default")).isEmpty();
    assertThat(inbox.payload(SOURCE, "after")).isPresent();
  }

  @Test
  void whatCannotBeMadeNowStaysInTheDefaultPartition() {
    // A handle of its own: within useTransaction this thread's other calls would join it.
    try (Handle blocker = jdbi.open()) {
      blocker.begin();
      blocker.execute("lock table event_payload in access exclusive mode");
      assertThat(new PayloadPartitions(jdbi).makeAhead()).isEmpty();
      blocker.rollback();
    }

    inbox.store(List.of(delivery("evt", "{}")));
    assertThat(rows("select 'row' from event_payload_default")).hasSize(1);
  }

  @Test
  void payloadsGoByTheMonthOnceTheyAreOlderThanKeptAndTheirIdsStay() {
    PayloadPartitions partitions = new PayloadPartitions(jdbi);
    partitions.makeAhead();
    store("old", "2020-01-31T23:59:59.999999Z");
    store("older", "2020-01-01T00:00:00Z");
    store("young", Instant.now().minus(Duration.ofDays(40)).toString());
    inbox.store(List.of(delivery("new", "{}")));
    jdbi.useHandle(handle -> handle.execute("delete from dispatch"));

    assertThat(partitions.dropOlderThan(Duration.ofDays(36_500))).isEmpty();
    assertThat(inbox.payload(SOURCE, "old")).isPresent();
    assertThat(partitions.dropOlderThan(Duration.ofDays(90))).containsExactly(JANUARY);
    assertThat(partitions.dropOlderThan(Duration.ofDays(90))).isEmpty();

    assertThat(inbox.payload(SOURCE, "old")).isEmpty();
    assertThat(inbox.payload(SOURCE, "older")).isEmpty();
    assertThat(inbox.payload(SOURCE, "young")).isPresent();
    assertThat(inbox.payload(SOURCE, "new")).isPresent();
    assertThat(inbox.store(List.of(delivery("old", "{}"), delivery("older", "{\"x\":1}"))))
        .containsExactly(Receipt.DUPLICATE, Receipt.CONFLICT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dispatch", "parked"})
  void aPartitionStaysAsLongAsOneOfItsEventsWaits(String where) {
    PayloadPartitions partitions = new PayloadPartitions(jdbi);
    store("handled", "2020-01-02T00:00:00Z");
    store("waiting", "2020-01-03T00:00:00Z");
    jdbi.useHandle(
        handle -> {
          handle.execute("delete from dispatch where event_id = 'handled' or consumer = 'mail'");
          if (where.equals("parked")) {
            handle.execute("delete from dispatch");
            handle.execute(
                """
                insert into parked (consumer, source, event_id, lane, received_at, kind, attempts, error)
                values ('replica', 'shop', 'waiting', 'live', now(), 'poison', 5, 'x')
                """);
          }
        });

    assertThat(partitions.dropOlderThan(Duration.ofDays(90))).isEmpty();
    assertThat(inbox.payload(SOURCE, "waiting")).isPresent();

    jdbi.useHandle(handle -> handle.execute("delete from " + where));
    assertThat(partitions.dropOlderThan(Duration.ofDays(90))).containsExactly(JANUARY);
  }

  @Test
  void anOldPartitionThatIsLockedIsLeftForLater() {
    store("old", "2020-01-02T00:00:00Z");
    jdbi.useHandle(handle -> handle.execute("delete from dispatch"));
    try (Handle blocker = jdbi.open()) {
      blocker.begin();
      blocker.execute("lock table event_payload in row exclusive mode");
      assertThat(new PayloadPartitions(jdbi).dropOlderThan(Duration.ofDays(90))).isEmpty();
      blocker.rollback();
    }
    assertThat(inbox.payload(SOURCE, "old")).isPresent();
    assertThat(new PayloadPartitions(jdbi).dropOlderThan(Duration.ofDays(90)))
        .containsExactly(JANUARY);
  }

  /** As if it had been received then. */
  private void store(String id, String receivedAt) {
    inbox.store(List.of(delivery(id, "{}")));
    jdbi.useHandle(
        handle -> {
          handle.execute(
              """
              create table if not exists event_payload_2020_01 partition of event_payload
              for values from ('2020-01-01 00:00+00') to ('2020-02-01 00:00+00')
              """);
          handle
              .createUpdate(
                  """
                  with moved as (
                    update processed_event set first_received_at = cast(:at as timestamptz)
                    where event_id = :id returning seq
                  )
                  update event_payload p set received_at = cast(:at as timestamptz)
                  from moved where p.event_seq = moved.seq
                  """)
              .bind("at", receivedAt)
              .bind("id", id)
              .execute();
        });
  }

  private static <T> List<T> inParallel(int times, Work<T> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(times);
    try {
      CyclicBarrier barrier = new CyclicBarrier(times);
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        int number = i;
        calls.add(
            () -> {
              barrier.await();
              return work.at(number);
            });
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private interface Work<T> {
    T at(int number) throws Exception;
  }

  private List<String> rows(String sql) {
    return jdbi.withHandle(handle -> handle.createQuery(sql).mapTo(String.class).list());
  }

  private List<String> counts() {
    return rows(
        "select consumer || ' ' || instance || ' ' || dispatched from dispatch_count order by 1");
  }

  private static List<Delivery> deliveries(IntStream numbers) {
    return numbers.mapToObj(i -> delivery("evt_" + i, "{}")).toList();
  }

  private static Delivery delivery(String id, String body) {
    return delivery(id, "order.placed", body);
  }

  private static Delivery delivery(String id, String topic, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new Delivery(SOURCE, id, topic, Map.of(), bytes, sha256(bytes));
  }

  private static byte[] body() {
    return "{}".getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] hash() {
    return sha256(body());
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
