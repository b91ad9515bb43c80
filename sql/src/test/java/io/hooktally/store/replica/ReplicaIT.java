package io.hooktally.store.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import io.hooktally.store.Lane;
import io.hooktally.store.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaIT {
  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  private static final Instant T0 = Instant.parse("2026-03-29T00:30:00.123456789Z");
  private static int number;

  private Replica replica;
  private EntityKey key;

  @BeforeEach
  void newEntity() {
    replica = new Replica(DATABASE.get().jdbi());
    key = new EntityKey("revenexx", "order", "order-" + ++number);
  }

  @Test
  void keepsTheModifiedTimeInFullPrecision() {
    apply(payload(T0, "{\"v\":1}"), Applied.CHANGED);

    assertThat(row().modified()).isEqualTo(T0);
    // For people the database's own column, rounded, and the same instant whatever the zone.
    String displayed =
        DATABASE
            .get()
            .jdbi()
            .withHandle(
                handle ->
                    handle
                        .createQuery(
                            """
                            select to_char(modified_at at time zone 'UTC',
                                'YYYY-MM-DD HH24:MI:SS.US')
                            from entity where entity_id = :id
                            """)
                        .bind("id", key.entityId())
                        .mapTo(String.class)
                        .one());
    assertThat(displayed).isEqualTo("2026-03-29 00:30:00.123457");
  }

  @Test
  void olderAfterNewerChangesNothing() {
    apply(payload(T0.plusSeconds(120), "{\"v\":3}"), Applied.CHANGED);
    apply(payload(T0.plusSeconds(60), "{\"v\":2}"), Applied.OLDER);

    assertThat(row().body()).isEqualTo(json("{\"v\":3}"));
  }

  @Test
  void aTieIsSettledByTheLaterStartedReadWhateverOrderTheyEndIn() {
    apply(payload(T0, "{\"v\":1}"), Applied.CHANGED);
    apply(payload(T0, "{\"v\":2}"), Applied.TIE);
    ReadTicket first = replica.beginRead(key);
    ReadTicket second = replica.beginRead(key);

    apply(read(second, T0, "{\"v\":2}"), Applied.CHANGED);
    apply(read(first, T0, "{\"v\":1}"), Applied.OLDER);

    assertThat(row().body()).isEqualTo(json("{\"v\":2}"));
  }

  @Test
  void aReadThatConfirmsTheContentStillRaisesTheReadNumber() {
    ReadTicket first = replica.beginRead(key);
    ReadTicket slow = replica.beginRead(key);
    ReadTicket third = replica.beginRead(key);
    apply(read(first, T0, "{\"v\":2.0}"), Applied.CHANGED);
    Instant changedAt = row().changedAt();

    apply(read(third, T0, "{\"v\":2}"), Applied.UNCHANGED);
    apply(read(slow, T0, "{\"v\":1}"), Applied.OLDER);

    assertThat(row().version().readNumber()).isEqualTo(third.number());
    assertThat(row().changedAt()).isEqualTo(changedAt);
  }

  @Test
  void aDeletionIsAVersionAndOnlyALaterStartedReadEndsIt() {
    apply(payload(T0, "{\"v\":1}"), Applied.CHANGED);
    ReadTicket early = replica.beginRead(key);
    apply(gone(replica.beginRead(key)), Applied.CHANGED);

    assertThat(row().deleted()).isTrue();
    assertThat(row().modified()).isEqualTo(T0);
    apply(payload(T0.plusSeconds(60), "{\"v\":2}"), Applied.TIE);
    apply(read(early, T0.plusSeconds(60), "{\"v\":2}"), Applied.OLDER);
    apply(read(replica.beginRead(key), T0.minusSeconds(60), "{\"v\":0}"), Applied.CHANGED);
    assertThat(row().deleted()).isFalse();
    assertThat(row().modified()).isEqualTo(T0.minusSeconds(60));
  }

  @Test
  void aMissingEntityWeNeverHadLeavesATombstone() {
    apply(gone(replica.beginRead(key)), Applied.CHANGED);

    assertThat(row().deleted()).isTrue();
    assertThat(row().modified()).isNull();
    assertThat(row().body()).isNull();
    apply(payload(T0, "{\"v\":1}"), Applied.TIE);
  }

  @Test
  void aPayloadThatCameDuringAReadThatFoundNothingIsNotDeleted() {
    ReadTicket ticket = replica.beginRead(key);
    apply(payload(T0, "{\"v\":1}"), Applied.CHANGED);

    apply(gone(ticket), Applied.TIE);

    assertThat(row().deleted()).isFalse();
  }

  @Test
  void aBodyChangedBehindOurBackIsWrittenAgain() {
    apply(read(replica.beginRead(key), T0, "{\"v\":1}"), Applied.CHANGED);
    DATABASE
        .get()
        .jdbi()
        .useHandle(
            handle ->
                handle
                    .createUpdate("update entity set body = '{\"v\": 7}' where entity_id = :id")
                    .bind("id", key.entityId())
                    .execute());

    apply(read(replica.beginRead(key), T0, "{\"v\":1}"), Applied.CHANGED);

    assertThat(row().body()).isEqualTo(json("{\"v\":1}"));
  }

  @Test
  void whatTheDatabaseRefusesIsReplacedAndTheRowFlagged() {
    String body = "{\"note\":\"a\\u0000b\",\"half\":\"\\ud800\",\"n\":1e999}";

    apply(payload(T0, body), Applied.CHANGED);

    assertThat(row().altered()).isTrue();
    assertThat(row().body())
        .isEqualTo(json("{\"note\":\"a\\ufffdb\",\"half\":\"\\ufffd\",\"n\":\"1E+999\"}"));
    assertThat(row().bodyHash()).isEqualTo(CanonicalJson.hash(json(body)));
    // The same again is the same, altered or not.
    apply(read(replica.beginRead(key), T0, body), Applied.UNCHANGED);
  }

  @Test
  void digitsSurvive() {
    String body = "{\"id\":932386786193547264,\"big\":9223372036854775808,\"sum\":49.811550}";

    apply(payload(T0, body), Applied.CHANGED);

    assertThat(CanonicalJson.write(row().body())).isEqualTo(CanonicalJson.write(json(body)));
  }

  @Test
  void walksAWindowInOrderWithoutTombstones() {
    String type = "walk";
    for (int i = 0; i < 10; i++) {
      EntityKey one = new EntityKey("revenexx", type, "id-" + (9 - i));
      replica.apply(new Change.Payload(one, T0.plusNanos(i / 2), json("{}"), Lane.LIVE, "e", T0));
    }
    EntityKey dead = new EntityKey("revenexx", type, "id-9");
    replica.apply(new Change.Gone(replica.beginRead(dead), Lane.LIVE, "e"));

    List<String> ids = new ArrayList<>();
    EntityVersion last = null;
    while (true) {
      List<EntityVersion> page = replica.window("revenexx", type, T0, T0.plusNanos(4), last, 3);
      page.forEach(version -> ids.add(version.entityId()));
      if (page.isEmpty()) {
        break;
      }
      last = page.get(page.size() - 1);
    }

    assertThat(ids).containsExactly("id-8", "id-6", "id-7", "id-4", "id-5", "id-2", "id-3");
    assertThat(replica.count("revenexx", type, T0, T0.plusNanos(4))).isEqualTo(7);
  }

  // Whatever the interleaving, the newest state by the source's clock stands in the end.
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void newestWinsAtAnyInterleaving(long seed) throws Exception {
    Random random = new Random(seed);
    List<Callable<Applied>> changes = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Instant modified = T0.plusSeconds(random.nextInt(20));
      changes.add(() -> replica.apply(payload(modified, "{\"at\":\"" + modified + "\"}")));
      changes.add(
          () ->
              replica.apply(
                  read(replica.beginRead(key), modified, "{\"at\":\"" + modified + "\"}")));
    }
    Instant newest = T0.plusSeconds(20);
    changes.add(random.nextInt(changes.size()), () -> replica.apply(payload(newest, "{\"n\":1}")));
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      for (Future<Applied> applied : threads.invokeAll(changes)) {
        applied.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(row().modified()).as("seed %d", seed).isEqualTo(newest);
    assertThat(row().body()).as("seed %d", seed).isEqualTo(json("{\"n\":1}"));
  }

  private Change payload(Instant modified, String body) {
    return new Change.Payload(key, modified, json(body), Lane.LIVE, "evt", T0);
  }

  private static Change read(ReadTicket ticket, Instant modified, String body) {
    return new Change.Read(ticket, modified, json(body), Lane.RECONCILE, null);
  }

  private static Change gone(ReadTicket ticket) {
    return new Change.Gone(ticket, Lane.LIVE, "evt");
  }

  private void apply(Change change, Applied expected) {
    assertThat(replica.apply(change)).isEqualTo(expected);
  }

  private Entity row() {
    return replica.find(key).orElseThrow();
  }

  private static JsonNode json(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
