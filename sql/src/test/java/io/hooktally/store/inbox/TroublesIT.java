package io.hooktally.store.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.hooktally.store.inbox.Troubles.Noted;
import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What was wrong with deliveries, and when nobody was there to take them, is on record. */
class TroublesIT {
  private static final Instant NEVER = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant EVER = Instant.parse("2100-01-01T00:00:00Z");

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Jdbi jdbi;
  private Troubles troubles;

  @BeforeEach
  void open() {
    jdbi = database.get().jdbi();
    troubles = new Troubles(jdbi);
  }

  @Test
  void whatComesWithinMinutesIsOneSpan() {
    troubles.add(
        "one",
        List.of(new Noted("shop", "refused.signature", 3)),
        Duration.ofNanos(5_000_000_001L));
    ageBy("4 minutes");
    troubles.add("one", List.of(new Noted("shop", "refused.signature", 4)), Duration.ofSeconds(5));

    assertThat(list())
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.deliveries()).isEqualTo(7);
              assertThat(Duration.between(span.beganAt(), span.endedAt()))
                  .isBetween(Duration.ofSeconds(244), Duration.ofSeconds(260));
            });
  }

  @Test
  void whatComesLaterOrEndsInAnotherWayIsAnotherSpan() {
    troubles.add(
        "one",
        List.of(new Noted("shop", "unavailable", 1), new Noted("shop", "refused.size", 1)),
        Duration.ZERO);
    ageBy("6 minutes");
    troubles.add("one", List.of(new Noted("shop", "unavailable", 2)), Duration.ZERO);
    troubles.add("two", List.of(new Noted("shop", "unavailable", 4)), Duration.ZERO);
    troubles.add("one", List.of(new Noted("other", "unavailable", 8)), Duration.ZERO);

    assertThat(list())
        .extracting(Trouble::outcome, Trouble::deliveries)
        .containsExactlyInAnyOrder(
            tuple("unavailable", 1L),
            tuple("refused.size", 1L),
            tuple("unavailable", 2L),
            tuple("unavailable", 4L));
  }

  @Test
  void oldSpansAreDropped() {
    troubles.add("one", List.of(new Noted("shop", "unavailable", 1)), Duration.ZERO);
    ageBy("401 days");
    troubles.add("one", List.of(new Noted("shop", "unavailable", 2)), Duration.ZERO);

    assertThat(list()).extracting(Trouble::deliveries).containsExactly(2L);
  }

  @Test
  void theFirstToBeatAfterNobodyDidRecordsTheSpan() throws Exception {
    Heartbeats heartbeats = new Heartbeats(jdbi);
    heartbeats.beat("one");
    heartbeats.beat("two");
    assertThat(list()).as("nobody was away").isEmpty();

    jdbi.useHandle(
        handle -> handle.execute("update heartbeat set beat_at = beat_at - interval '3 hours'"));
    together(() -> heartbeats.beat("two"), () -> heartbeats.beat("three"));

    assertThat(list())
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.outcome()).isEqualTo(Troubles.AWAY);
              assertThat(Duration.between(span.beganAt(), span.endedAt()))
                  .isBetween(Duration.ofHours(3), Duration.ofHours(3).plusSeconds(30));
            });
  }

  @Test
  void oneInstanceThatIsThereIsEnough() {
    Heartbeats heartbeats = new Heartbeats(jdbi);
    heartbeats.beat("one");
    heartbeats.beat("two");
    jdbi.useHandle(
        handle ->
            handle.execute(
                "update heartbeat set beat_at = beat_at - interval '1 hour' where instance = 'one'"));
    heartbeats.beat("one");

    assertThat(list()).isEmpty();
  }

  @Test
  void ofRefusedDeliveriesTheNewestOfEachOutcomeAreKept() {
    RefusedDeliveries refused = new RefusedDeliveries(jdbi);
    refused.add(List.of(refused("refused.size", 0, null)));
    for (int round = 0; round < 3; round++) {
      int first = round * 50;
      refused.add(
          IntStream.range(first, first + 50)
              .mapToObj(size -> refused("refused.signature", size, "00ff"))
              .toList());
    }

    List<Refused> kept = refused.list("shop", 1000);
    assertThat(kept).hasSize(RefusedDeliveries.KEPT + 1);
    assertThat(kept.get(0)).isEqualTo(refused("refused.signature", 149, "00ff"));
    assertThat(kept.get(RefusedDeliveries.KEPT - 1).bodySize()).isEqualTo(50);
    assertThat(kept.get(RefusedDeliveries.KEPT)).isEqualTo(refused("refused.size", 0, null));
    assertThat(refused.list("shop", 7)).hasSize(7);
    assertThat(refused.list("other", 7)).isEmpty();
  }

  private static Refused refused(String outcome, long size, @Nullable String hash) {
    return new Refused(
        Instant.parse("2026-11-30T10:00:00Z"),
        "shop",
        outcome,
        Map.of("User-Agent", List.of("a", "b")),
        hash,
        size);
  }

  private List<Trouble> list() {
    return troubles.list("shop", NEVER, EVER, 100);
  }

  private void ageBy(String interval) {
    jdbi.useHandle(
        handle ->
            handle.execute(
                "update trouble set began_at = began_at - cast(? as interval),"
                    + " ended_at = ended_at - cast(? as interval)",
                interval,
                interval));
  }

  private static void together(Runnable... works) throws Exception {
    CyclicBarrier start = new CyclicBarrier(works.length);
    ExecutorService threads = Executors.newFixedThreadPool(works.length);
    try {
      List<Future<?>> ends =
          Stream.of(works)
              .<Future<?>>map(
                  work ->
                      threads.submit(
                          () -> {
                            start.await();
                            work.run();
                            return null;
                          }))
              .toList();
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdown();
    }
  }
}
