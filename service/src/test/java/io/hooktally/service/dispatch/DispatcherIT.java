package io.hooktally.service.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hooktally.reconcile.source.EventConfig;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.service.SharedCases;
import io.hooktally.store.alert.Alerts;
import io.hooktally.store.dispatch.DispatchSums;
import io.hooktally.store.dispatch.Parked;
import io.hooktally.store.inbox.Delivery;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.replica.Replica;
import io.hooktally.store.testing.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The live way behind the inbox, on a real database and a real API; time is moved by hand. */
class DispatcherIT {
  private static final Instant T0 = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration LAG = Duration.ofSeconds(1);

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private final HandClock clock = new HandClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final FakeSource source = new FakeSource(clock);
  private Jdbi jdbi;
  private SourceConfig config;
  private SourceClient client;
  private Dispatcher dispatcher;
  private int number;

  @BeforeEach
  void start() {
    jdbi = database.get().jdbi();
    use("{}");
  }

  @AfterEach
  void stop() {
    dispatcher.close();
    client.close();
    source.close();
  }

  @Test
  void anEventIsTheTriggerAndTheApiTheTruth() {
    source.put("o1", T0);
    receive("order.placed", "{\"id\":\"ev-7\",\"order_id\":\"o1\"}");

    drain();

    assertThat(row("o1").body()).isEqualTo(source.aggregate("o1"));
    assertThat(row("o1").modified()).isEqualTo(T0);
    assertThat(sums()).isEqualTo(new DispatchSums(1, 1, 0, 0, 0, 0));
  }

  @Test
  void aBurstOnOneEntityIsServedByOneRead() {
    source.put("o1", T0);
    for (int i = 0; i < 10; i++) {
      receive("order.updated", "{\"order_id\":\"o1\"}");
    }

    drain();

    assertThat(source.requests()).hasSize(1);
    assertThat(sums()).isEqualTo(new DispatchSums(10, 10, 0, 0, 0, 0));
  }

  @Test
  void aSourceThatLagsBehindItsOwnWebhookIsReadOnceMore() {
    source.put("o1", T0);
    receive("order.placed", "{\"order_id\":\"o1\"}");
    drain();
    // The webhook says that something changed; the API does not show it yet.
    receive("order.cancelled", "{\"order_id\":\"o1\"}");
    drain();
    assertThat(sums().pending()).isEqualTo(1);
    source.change("o1", T0.plusSeconds(5), "status", "cancelled");

    clock.advance(LAG.minusMillis(1));
    drain();
    assertThat(sums().pending()).isEqualTo(1);
    clock.advance(Duration.ofMillis(1));
    drain();

    assertThat(row("o1").modified()).isEqualTo(T0.plusSeconds(5));
    assertThat(sums()).isEqualTo(new DispatchSums(2, 2, 0, 0, 0, 0));
  }

  @Test
  void whileOneEventWaitsForTheLagItsKeyIsFree() {
    source.put("o1", T0);
    receive("order.placed", "{\"order_id\":\"o1\"}");
    drain();
    receive("order.cancelled", "{\"order_id\":\"o1\"}");
    drain();
    source.change("o1", T0.plusSeconds(9), "status", "held");
    receive("order.held", "{\"order_id\":\"o1\"}");

    drain();

    assertThat(row("o1").modified()).isEqualTo(T0.plusSeconds(9));
    assertThat(sums().pending()).isEqualTo(1);
  }

  @Test
  void aTopicInTheBodyIsMatchedHereAndWhatNobodyTakesIsDone() {
    SourceConfig like = source.config("{\"deleteTopics\": [\"order.deleted\"]}");
    use(
        new SourceConfig(
            like.name(),
            like.signature(),
            new EventConfig("X-Id", null, null, List.of("/type"), null, null),
            like.api(),
            like.lag(),
            like.settle(),
            like.entities()));
    source.put("o1", T0);
    deliver("evt_1", null, "{\"type\":\"order.placed\",\"id\":\"o1\"}");
    deliver("evt_2", null, "{\"type\":\"invoice.paid\",\"id\":\"o1\"}");
    deliver("evt_3", null, "{\"type\":\"order.deleted\",\"id\":\"gone\"}");
    deliver("evt_4", null, "{\"id\":\"o1\"}");

    drain();

    assertThat(row("o1").modified()).isEqualTo(T0);
    assertThat(row("gone").deleted()).as("believed at once").isTrue();
    assertThat(sums()).isEqualTo(new DispatchSums(4, 4, 0, 0, 0, 0));
  }

  @Test
  void aConflictWithAnEventWhosePayloadIsGoneReadsItsOwnEntity() {
    source.put("o1", T0);
    source.put("o2", T0);
    deliver("evt_x", "order.placed", "{\"order_id\":\"o1\"}");
    drain();
    jdbi.useHandle(handle -> handle.execute("delete from event_payload"));

    deliver("evt_x", "order.placed", "{\"order_id\":\"o2\"}");
    drain();

    assertThat(row("o2").modified()).isEqualTo(T0);
    assertThat(sums()).isEqualTo(new DispatchSums(2, 2, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "none", "utf-8"})
  void aBodyIsReadThroughItsContentEncoding(String encoding) throws IOException {
    use("{\"apply\":\"payload\"}");
    source.put("o1", T0);
    byte[] body = source.aggregate("o1").toString().getBytes(StandardCharsets.UTF_8);
    if (encoding.equals("gzip")) {
      ByteArrayOutputStream zipped = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
        gzip.write(body);
      }
      body = zipped.toByteArray();
    }
    Map<String, List<String>> headers =
        encoding.equals("none") ? Map.of() : Map.of("Content-Encoding", List.of(encoding));
    Inbox inbox = new Inbox(jdbi, "one");
    inbox.store(List.of(delivery("evt_1", headers, body)));
    inbox.store(
        List.of(
            delivery(
                "evt_2", Map.of("Content-Encoding", List.of("gzip")), new byte[] {31, -117, 8})));

    drain();

    assertThat(row("o1").body()).isEqualTo(source.aggregate("o1"));
    assertThat(source.requests()).isEmpty();
    assertThat(dispatcher.queue().parked(0, 10))
        .extracting(Parked::eventId, Parked::kind)
        .containsExactly(tuple("evt_2", Parked.Kind.INVALID));
  }

  private Delivery delivery(String id, Map<String, List<String>> headers, byte[] body) {
    return new Delivery(config.name(), id, "order.placed", headers, body, sha256(body));
  }

  @Test
  void theSameBodyAgainUnderAnIdMadeOfItHasItsEntityRead() {
    use("{\"apply\":\"payload\"}");
    String id = Delivery.idByBody(new byte[32]);
    source.put("o1", T0);
    String body = source.aggregate("o1").toString();
    deliver(id, "order.placed", body);
    drain();
    assertThat(source.requests()).isEmpty();

    source.change("o1", T0.plusSeconds(5), "status", "held");
    for (int i = 0; i < 5; i++) {
      deliver(id, "order.placed", body);
    }
    drain();

    assertThat(row("o1").modified()).isEqualTo(T0.plusSeconds(5));
    assertThat(source.requests()).as("one read for all that waited").hasSize(1);
    assertThat(sums()).isEqualTo(new DispatchSums(2, 2, 0, 0, 0, 0));

    deliver(id, "order.placed", body);
    drain();
    assertThat(sums().pending()).as("the source may lag").isEqualTo(1);
    clock.advance(LAG);
    drain();
    assertThat(source.requests()).hasSize(3);
    assertThat(sums()).isEqualTo(new DispatchSums(3, 3, 0, 0, 0, 0));
  }

  @Test
  void aMissingEntityIsBelievedOnlyTheSecondTime() {
    receive("order.placed", "{\"order_id\":\"o1\"}");
    drain();
    assertThat(find("o1")).isEmpty();

    clock.advance(LAG);
    drain();

    assertThat(row("o1").deleted()).isTrue();
    assertThat(sums()).isEqualTo(new DispatchSums(1, 1, 0, 0, 0, 0));
  }

  @Test
  void anEntityThatShowsUpLateIsNotTakenForDeleted() {
    receive("order.placed", "{\"order_id\":\"o1\"}");
    drain();
    source.put("o1", T0);

    clock.advance(LAG);
    drain();

    assertThat(row("o1").deleted()).isFalse();
  }

  @Test
  void aDeleteTopicStoresTheTombstoneAtOnceAndNoLatePayloadEndsIt() {
    use("{\"deleteTopics\":[\"order.deleted\"],\"apply\":\"payload\"}");
    receive("order.placed", order("o1", T0, "placed"));
    drain();
    receive("order.deleted", "{\"id\":\"o1\"}");
    drain();
    assertThat(row("o1").deleted()).isTrue();

    receive("order.updated", order("o1", T0.plusSeconds(60), "placed"));
    drain();
    clock.advance(LAG);
    drain();

    assertThat(row("o1").deleted()).isTrue();
    assertThat(sums()).isEqualTo(new DispatchSums(3, 3, 0, 0, 0, 0));
  }

  @Test
  void aWrongTenantDeletesNothing() {
    for (int i = 0; i < 3; i++) {
      source.put("o" + i, T0);
      receive("order.placed", "{\"order_id\":\"o" + i + "\"}");
    }
    drain();
    source.fault(
        (path, query, request) ->
            path.startsWith("/v1/orders/")
                ? Optional.of(Response.json(404, "{}"))
                : Optional.empty());
    receive("order.updated", "{\"order_id\":\"o1\"}");
    drain();
    clock.advance(LAG);
    drain();

    assertThat(row("o1").deleted()).isFalse();
    assertThat(dispatcher.outage())
        .hasValueSatisfying(why -> assertThat(why).contains("check the tenant"));
    source.noFaults();
    clock.advance(Duration.ofMinutes(2));
    drain();
    assertThat(sums()).isEqualTo(new DispatchSums(4, 4, 0, 0, 0, 0));
  }

  @Test
  void aBodyUnderAForeignTopicDoesNotSwallowTheEventOfItsId() {
    source.put("victim", T0);
    deliver("evt_next", "nothing.at.all", "{\"order_id\":\"o1\"}");
    deliver("evt_next", "order.placed", "{\"order_id\":\"victim\"}");

    drain();

    assertThat(row("victim").body()).isEqualTo(source.aggregate("victim"));
  }

  @Test
  void payloadsInAnyOrderLeaveTheNewestAndCostNoRead() {
    use("{\"apply\":\"payload\"}");
    receive("order.placed", order("o1", T0, "v1"));
    receive("order.updated", order("o1", T0.plusSeconds(120), "v3"));
    receive("order.updated", order("o1", T0.plusSeconds(60), "v2"));

    drain();

    assertThat(row("o1").body().get("status").asText()).isEqualTo("v3");
    assertThat(source.requests()).isEmpty();
    assertThat(sums()).isEqualTo(new DispatchSums(3, 3, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({"2026-03-01T10:00:00Z, tie", "2026-03-01T13:00:01Z, more than an hour ahead"})
  void aPayloadThatCannotBeBelievedIsReadInstead(Instant modified, String why) {
    use("{\"apply\":\"payload\"}");
    receive("order.placed", order("o1", T0, "v1"));
    drain();
    source.put("o1", T0.plusSeconds(30));

    receive("order.updated", order("o1", modified, "v2"));
    drain();

    assertThat(row("o1").body()).as(why).isEqualTo(source.aggregate("o1"));
  }

  @Test
  void ofTwoBodiesUnderOneIdBothEntitiesAreReadAndNeitherBelieved() {
    use("{\"apply\":\"payload\"}");
    source.put("o1", T0);
    source.put("o2", T0);
    deliver("evt_1", "order.placed", order("o1", T0, "first"));
    deliver("evt_1", "order.placed", order("o2", T0.plusSeconds(1), "second"));

    drain();

    assertThat(row("o1").body()).isEqualTo(source.aggregate("o1"));
    assertThat(row("o2").body()).isEqualTo(source.aggregate("o2"));
    assertThat(sums()).isEqualTo(new DispatchSums(2, 2, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "no json",
        "{\"order_id\":",
        "[]",
        "null",
        "{}",
        "{\"order_id\":{}}",
        "{\"order_id\":\"x\",\"v\":1e99999999999}"
      })
  void whatCannotBeReadAsAnEntityIsParkedAsInvalid(String body) {
    source.put("o1", T0);
    receive("order.placed", body);
    receive("order.placed", "{\"order_id\":\"o1\"}");

    drain();

    assertThat(dispatcher.queue().parked(0, 10))
        .extracting(Parked::kind, Parked::eventId)
        .containsExactly(tuple(Parked.Kind.INVALID, "evt_1"));
    assertThat(row("o1").deleted()).isFalse();
    assertThat(sums()).isEqualTo(new DispatchSums(2, 1, 0, 0, 1, 0));
  }

  @Test
  void poisonBlocksItsOwnKeyOnlyAndIsParkedAfterItsLastAttempt() {
    source.put("o1", T0);
    for (int i = 0; i < 150; i++) {
      receive("order.placed", "{\"order_id\":\"bad-" + i + "\"}");
    }
    receive("order.placed", "{\"order_id\":\"o1\"}");
    source.fault(
        (path, query, request) ->
            path.contains("/bad-")
                ? Optional.of(Response.json(500, "{\"message\":\"boom\"}"))
                : Optional.empty());

    drain();
    assertThat(row("o1").deleted()).isFalse();
    assertThat(sums()).isEqualTo(new DispatchSums(151, 1, 150, 0, 0, 0));

    for (int attempt = 2; attempt <= 5; attempt++) {
      clock.advance(Duration.ofMinutes(2));
      drain();
    }
    assertThat(sums()).isEqualTo(new DispatchSums(151, 1, 0, 0, 150, 0));
    assertThat(dispatcher.queue().parked(0, 1))
        .extracting(Parked::kind, Parked::attempts)
        .containsExactly(tuple(Parked.Kind.POISON, 5));
  }

  // An hour without the API: nothing is parked, no attempt is counted, and all of it comes through.
  @ParameterizedTest
  @ValueSource(ints = {401, 403, 408, 429, 500, 503})
  void anOutageIsNobodysPoison(int status) {
    for (int i = 0; i < 20; i++) {
      source.put("o" + i, T0);
      receive("order.placed", "{\"order_id\":\"o" + i + "\"}");
    }
    source.fault((path, query, request) -> Optional.of(Response.json(status, "{}")));

    for (int minute = 0; minute < 60; minute++) {
      drain();
      clock.advance(Duration.ofMinutes(1));
    }
    assertThat(dispatcher.outage()).hasValueSatisfying(why -> assertThat(why).contains("since"));
    assertThat(sums()).isEqualTo(new DispatchSums(20, 0, 20, 0, 0, 0));
    assertThat(new Alerts(jdbi).claim(clock.instant(), Duration.ofMinutes(1), 10))
        .singleElement()
        .satisfies(alert -> assertThat(alert.text()).contains("wait since 2026-03-01T12:00:00Z"));
    // One probe a minute at most (the HTTP client repeats a 408 by itself), and no read beside it.
    assertThat(source.requests().size()).isLessThan(status == 408 ? 160 : 80);

    source.noFaults();
    clock.advance(Duration.ofMinutes(2));
    drain();
    assertThat(sums()).isEqualTo(new DispatchSums(20, 20, 0, 0, 0, 0));
    assertThat(dispatcher.outage()).isEmpty();
  }

  @Test
  void everyPublicBodyIsHandedOverOrParked() throws IOException {
    Optional<Path> cases = SharedCases.folder();
    assumeTrue(cases.isPresent(), "no ../shared/cases");
    use("{\"apply\":\"payload\"}");
    List<Path> files;
    try (Stream<Path> listed = Files.list(cases.get().resolve("payloads"))) {
      files = listed.filter(Files::isRegularFile).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThan(100);
    for (Path file : files) {
      receive("order.updated", Files.readAllBytes(file));
    }

    for (int i = 0; i < 3; i++) {
      drain();
      // Those whose entity the source does not have are read once more.
      clock.advance(LAG);
    }

    DispatchSums sums = sums();
    assertThat(sums.dispatched()).as(sums.toString()).isEqualTo(files.size());
    assertThat(sums.pending()).isZero();
    assertThat(sums.done() + sums.parked()).isEqualTo(files.size());
    assertThat(sums.done()).isPositive();
    assertThat(dispatcher.queue().parked(0, 1000))
        .allSatisfy(
            parked -> {
              assertThat(parked.kind()).isEqualTo(Parked.Kind.INVALID);
              assertThat(parked.error()).hasSizeLessThan(300).doesNotContain("StackOverflow");
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {1001, 100_000})
  void whatIsTooDeepToReadIsParked(int depth) {
    receive("order.updated", "{\"order_id\":\"o1\",\"a\":" + "[".repeat(depth));
    receive(
        "order.updated",
        "{\"order_id\":\"o2\",\"a\":" + "[".repeat(depth) + "]".repeat(depth) + "}");
    source.put("o3", T0);
    receive("order.updated", "{\"order_id\":\"o3\",\"a\":" + "9".repeat(1001) + "}");

    drain();

    assertThat(dispatcher.queue().parked(0, 10))
        .extracting(Parked::kind)
        .contains(Parked.Kind.INVALID, Parked.Kind.INVALID);
    assertThat(sums().dispatched()).isEqualTo(3);
    assertThat(sums().pending()).isZero();
  }

  @Test
  void oneChangeUnderTwoIdsChangesTheReplicaOnce() {
    use("{\"apply\":\"payload\"}");
    source.put("o1", T0);
    String body = source.aggregate("o1").toString();
    deliver("evt_1", "order.placed", body);
    drain();
    Entity before = row("o1");

    deliver("evt_2", "order.placed", body);
    drain();
    clock.advance(LAG);
    drain();

    assertThat(row("o1").body()).isEqualTo(before.body());
    assertThat(row("o1").modified()).isEqualTo(before.modified());
    assertThat(sums()).isEqualTo(new DispatchSums(2, 2, 0, 0, 0, 0));
  }

  @Test
  void theLastOfTwoEqualKeysCountsAndTheRawBodyKeepsBoth() {
    use("{\"apply\":\"payload\"}");
    String body =
        "{\"id\":\"o1\",\"updated_at\":\"" + T0 + "\",\"status\":\"paid\",\"status\":\"void\"}";
    deliver("evt_1", "order.placed", body);
    drain();

    assertThat(row("o1").body().path("status").asText()).isEqualTo("void");
    assertThat(new Inbox(jdbi, "one").payload(config.name(), "evt_1").orElseThrow().body())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(body);
  }

  @Test
  void twoDispatchersHandEachEventOverOnce() {
    for (int i = 0; i < 300; i++) {
      source.put("o" + i % 30, T0);
      receive("order.updated", "{\"order_id\":\"o" + i % 30 + "\"}");
    }
    try (Dispatcher other = dispatcher("two")) {
      while (dispatcher.runOnce() + other.runOnce() > 0) {
        // Both until nothing is left.
      }
    }

    assertThat(sums()).isEqualTo(new DispatchSums(300, 300, 0, 0, 0, 0));
  }

  private void use(String entity) {
    use(
        source.config(
            FakeSource.parse(entity)
                .set("id", FakeSource.parse("{\"id\":[\"/order_id\",\"/id\"]}").get("id"))
                .toString()));
  }

  private void use(SourceConfig other) {
    if (dispatcher != null) {
      dispatcher.close();
      client.close();
    }
    config = other;
    client = new SourceClient(config.withoutRetries(), clock, clock::nanos);
    dispatcher = dispatcher("one");
  }

  private Dispatcher dispatcher(String instance) {
    return Dispatchers.forReplica(config, client, jdbi, instance, clock, new Random(7));
  }

  private void drain() {
    while (dispatcher.runOnce() > 0) {
      // Until nothing is due.
    }
  }

  private void receive(String topic, String body) {
    deliver("evt_" + ++number, topic, body);
  }

  private void receive(String topic, byte[] body) {
    deliver("evt_" + ++number, topic, body);
  }

  private void deliver(String eventId, @Nullable String topic, String body) {
    deliver(eventId, topic, body.getBytes(StandardCharsets.UTF_8));
  }

  private void deliver(String eventId, @Nullable String topic, byte[] bytes) {
    new Inbox(jdbi, "one")
        .store(
            List.of(new Delivery(config.name(), eventId, topic, Map.of(), bytes, sha256(bytes))));
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String order(String id, Instant modified, String status) {
    return "{\"id\":\"%s\",\"updated_at\":\"%s\",\"status\":\"%s\"}"
        .formatted(id, modified, status);
  }

  private DispatchSums sums() {
    DispatchSums sums = dispatcher.queue().sums();
    assertThat(sums.holds()).isTrue();
    return sums;
  }

  private Optional<Entity> find(String id) {
    return new Replica(jdbi).find(new EntityKey(config.name(), "order", id));
  }

  private Entity row(String id) {
    return find(id).orElseThrow();
  }
}
