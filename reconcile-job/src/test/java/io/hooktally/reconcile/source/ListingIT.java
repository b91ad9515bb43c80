package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.reconcile.testing.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each clause of the proof that a listing is complete. */
class ListingIT {
  private static final Instant NOW = Instant.parse("2026-05-11T12:00:00Z");
  private final FakeSource source = new FakeSource(new HandClock(NOW));

  @AfterEach
  void close() {
    source.close();
  }

  private static Instant minute(int ago) {
    return NOW.minus(Duration.ofMinutes(ago));
  }

  // id 0 is the newest
  private void fill(int rows) {
    IntStream.range(0, rows).forEach(i -> source.put("o" + i, minute(i)));
  }

  private List<String> list(String entity, Instant from) {
    List<String> ids = new ArrayList<>();
    try (SourceClient client = new SourceClient(source.config(entity), new HandClock(NOW))) {
      Instant[] before = {Instant.MAX};
      Listed listed =
          client.list(
              "order",
              from,
              rows -> {
                assertThat(rows).isNotEmpty();
                for (ListedRow row : rows) {
                  assertThat(row.sortedBy()).isBeforeOrEqualTo(before[0]);
                  before[0] = row.sortedBy();
                  ids.add(row.id());
                }
              });
      assertThat(listed.rows()).isEqualTo(ids.size());
    }
    return ids;
  }

  private List<String> list(int pageSize) {
    return list(
        "{\"list\": {\"path\": \"/v1/orders\", \"pageSize\": " + pageSize + "}}", Instant.EPOCH);
  }

  private void assertIncomplete(int pageSize, String why) {
    assertThatThrownBy(() -> list(pageSize))
        .isInstanceOf(SourceRefusedException.class)
        .hasMessageContaining(why);
  }

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "o" + i).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 50, 200})
  void listsEveryRowOnceNewestFirst(int pageSize) {
    fill(57);
    assertThat(list(pageSize)).isEqualTo(ids(0, 57));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 200})
  void provesTheEndAlsoWhereTheSourceSaysLittle(int pageSize) {
    fill(23);
    source.omit(false, true, false);
    assertThat(list(pageSize)).isEqualTo(ids(0, 23));
    source.omit(true, false, true);
    assertThat(list(pageSize)).isEqualTo(ids(0, 23));
    source.omit(true, true, true);
    assertThat(list(pageSize)).isEqualTo(ids(0, 23));
  }

  @Test
  void listsNothingWhereNothingIs() {
    assertThat(list(50)).isEmpty();
    source.omit(true, true, true);
    assertThat(list(50)).isEmpty();
  }

  @Test
  void takesTheLimitThatWasApplied() {
    fill(1000);
    assertThat(list(500)).hasSize(1000);
    assertThat(source.requests().size()).isLessThan(8);
  }

  @Test
  void stopsAfterAWholePageOlderThanFrom() {
    fill(400);
    assertThat(list("{\"list\": {\"path\": \"/v1/orders\", \"pageSize\": 10}}", minute(24)))
        .isEqualTo(ids(0, 25));
    assertThat(source.requests().size()).isLessThan(6);
  }

  @Test
  void refusesAnIgnoredOrder() {
    fill(5);
    source.put("o2", NOW.plusSeconds(1));
    assertThatThrownBy(
            () ->
                list(
                    "{\"list\": {\"path\": \"/v1/orders\", \"sort\": \"updated_at.down\"}}",
                    Instant.EPOCH))
        .isInstanceOf(IncompleteListingException.class)
        .hasMessageContaining("order");
  }

  @Test
  void refusesAnIgnoredOffset() {
    fill(30);
    source.fault(
        (path, query, n) -> {
          query.put("offset", "0");
          return Optional.empty();
        });
    assertIncomplete(10, "offset");
    source.omit(true, false, true);
    assertIncomplete(10, "again and again");
  }

  @Test
  void rowsPulledUpByDeletionsAreNotSkipped() {
    fill(40);
    AtomicInteger page = new AtomicInteger();
    source.afterEachPage(
        () -> {
          int n = page.getAndIncrement();
          if (n < 3) {
            IntStream.range(0, 6).forEach(i -> source.delete("o" + (n * 6 + i)));
          }
        });
    assertThat(list(10)).containsAll(ids(18, 40)).doesNotHaveDuplicates();
  }

  @Test
  void rowsPushedDownByChangesAreSeenOnce() {
    fill(40);
    AtomicInteger page = new AtomicInteger();
    source.afterEachPage(
        () -> {
          int n = page.incrementAndGet();
          if (n < 6) {
            source.put("new" + n, NOW.plusSeconds(n));
            source.put("o" + (39 - n), NOW.plusSeconds(100 + n));
          }
        });
    List<String> listed = list(10);
    assertThat(listed).containsAll(ids(0, 34)).doesNotHaveDuplicates();
  }

  @Test
  void moreRowsPushedInThanFitOnAPage() {
    fill(30);
    AtomicInteger page = new AtomicInteger();
    source.afterEachPage(
        () -> {
          if (page.incrementAndGet() == 2) {
            IntStream.range(0, 35).forEach(i -> source.put("new" + i, NOW.plusSeconds(i)));
          }
        });
    assertThat(list(10)).containsAll(ids(0, 30)).doesNotHaveDuplicates();
  }

  @Test
  void equalTimesOverABorderInAnyOrder() {
    fill(8);
    IntStream.range(8, 13).forEach(i -> source.put("o" + i, minute(8)));
    IntStream.range(13, 20).forEach(i -> source.put("o" + i, minute(i)));
    AtomicInteger page = new AtomicInteger();
    // The source sorts by one column only: rows of equal time stand in another order each time.
    source.afterEachPage(() -> source.put("o" + (8 + page.getAndIncrement() % 5), minute(8)));
    assertThat(list(10)).containsExactlyInAnyOrderElementsOf(ids(0, 20));
  }

  @Test
  void moreEqualTimesThanFitOnAPage() {
    fill(3);
    IntStream.range(3, 40).forEach(i -> source.put("o" + i, minute(3)));
    IntStream.range(40, 50).forEach(i -> source.put("o" + i, minute(i)));
    assertThat(list(10)).containsExactlyInAnyOrderElementsOf(ids(0, 50));
    assertThat(list(4)).containsExactlyInAnyOrderElementsOf(ids(0, 50));
  }

  @Test
  void moreEqualTimesThanFitOnAPageInNoStableOrderAreRefused() {
    IntStream.range(0, 40).forEach(i -> source.put("o" + i, minute(3)));
    IntStream.range(40, 50).forEach(i -> source.put("o" + i, minute(i)));
    Random random = new Random(1);
    source.afterEachPage(
        () -> IntStream.range(0, 40).forEach(i -> source.put("o" + random.nextInt(40), minute(3))));
    assertThatThrownBy(() -> list(10)).isInstanceOf(IncompleteListingException.class);
  }

  @Test
  void rowsPushedDownWithinEqualTimes() {
    IntStream.range(0, 40).forEach(i -> source.put("o" + i, minute(3)));
    IntStream.range(40, 50).forEach(i -> source.put("o" + i, minute(i)));
    AtomicInteger page = new AtomicInteger();
    source.afterEachPage(() -> source.put("new" + page.incrementAndGet(), NOW));
    assertThat(list(10)).containsAll(ids(0, 50)).doesNotHaveDuplicates();
  }

  @Test
  void aShortPageInTheMiddleIsNotTheEnd() {
    fill(150);
    source.show(row -> !row.get("id").asText().equals("o60"));
    List<String> expected = new ArrayList<>(ids(0, 150));
    expected.remove("o60");
    assertThat(list(50)).isEqualTo(expected);
  }

  @Test
  void anEmptyPageInTheMiddleIsNotTheEnd() {
    fill(150);
    source.show(
        row -> {
          int n = Integer.parseInt(row.get("id").asText().substring(1));
          return n < 30 || n >= 110;
        });
    List<String> expected = new ArrayList<>(ids(0, 30));
    expected.addAll(ids(110, 150));
    assertThat(list(20)).isEqualTo(expected);
  }

  @Test
  void nothingShownOfATotalIsNotNothing() {
    fill(10);
    source.show(row -> false);
    assertIncomplete(50, "no row");
  }

  @Test
  void anEndThatTheTotalContradictsIsWalkedTwice() {
    fill(30);
    AtomicInteger pages = new AtomicInteger();
    source.fault(
        (path, query, n) -> {
          if (query.getOrDefault("offset", "").equals("0")) {
            pages.incrementAndGet();
          }
          return Optional.empty();
        });
    source.show(row -> !row.get("id").asText().equals("o29"));
    assertThat(list(50)).isEqualTo(ids(0, 29));
    assertThat(pages.get()).isEqualTo(2);
  }

  @Test
  void whatIsCreatedBetweenTheTwoPassesIsNoDoubtAboutTheFirst() {
    fill(30);
    AtomicInteger n = new AtomicInteger();
    source.show(row -> !row.get("id").asText().equals("o29"));
    source.afterEachPage(() -> source.put("new" + n.incrementAndGet(), NOW.plusSeconds(n.get())));
    assertThat(list(50)).isEqualTo(ids(0, 29));
  }

  @Test
  void whatIsDeletedBetweenTheTwoPassesIsADoubt() {
    fill(30);
    source.show(row -> !row.get("id").asText().equals("o29"));
    source.afterEachPage(() -> source.delete("o7"));
    assertIncomplete(50, "second pass");
  }

  @Test
  void anEndThatTheTotalContradictsAndASecondPassTooIsRefused() {
    fill(30);
    AtomicInteger n = new AtomicInteger();
    source.show(row -> !row.get("id").asText().equals("o" + (n.get() < 1 ? 29 : 3)));
    source.afterEachPage(n::incrementAndGet);
    assertIncomplete(50, "second pass");
  }

  @Test
  void anEndlessListFails() {
    AtomicInteger n = new AtomicInteger();
    source.fault(
        (path, query, number) ->
            Optional.of(
                Response.json(
                    200,
                    "{\"items\": [{\"id\": \"x%d\", \"updated_at\": \"%s\"}], \"page\": {\"hasMore\": true}}"
                        .formatted(n.incrementAndGet(), minute(1)))));
    assertThatThrownBy(
            () -> list("{\"list\": {\"path\": \"/v1/orders\", \"maxPages\": 500}}", Instant.EPOCH))
        .isInstanceOf(IncompleteListingException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"ok\":false,\"error\":\"invalid_auth\"}",
        "{\"errors\":[{\"message\":\"x\"}],\"data\":null}",
        "{}",
        "null",
        "",
        "[]",
        "{\"data\":[],\"total\":10}",
        "{\"items\":{}}",
        "{\"items\":[null]}",
        "{\"items\":[{\"id\":\"a\"}]}",
        "{\"items\":[{\"id\":\"a\",\"updated_at\":\"yesterday\"}]}",
        "{\"items\":[{\"updated_at\":\"2026-01-01T00:00:00Z\"}]}",
        "{\"items\":[],\"total\":10}",
        "{\"items\":[],\"page\":{\"hasMore\":\"no\"}}",
        "{\"items\":[",
      })
  void anAnswerThatIsNoListIsNotNoRows(String body) {
    source.fault((path, query, n) -> Optional.of(Response.json(200, body)));
    assertThatThrownBy(() -> list(50)).isInstanceOf(SourceRefusedException.class);
  }

  @Test
  void htmlIsNotNoRows() {
    source.fault(
        (path, query, n) ->
            Optional.of(new Response(200, "text/html", "<html>login</html>", java.util.Map.of())));
    assertIncomplete(50, "JSON was expected");
  }

  @Test
  void theSameRowTwiceOnAPageIsRefused() {
    source.fault(
        (path, query, n) ->
            Optional.of(
                Response.json(
                    200,
                    "{\"items\": [{\"id\": 7, \"updated_at\": \"%1$s\"}, {\"id\": \"7\", \"updated_at\": \"%1$s\"}]}"
                        .formatted(NOW))));
    assertIncomplete(50, "twice");
  }

  @Test
  void aNullModifiedTimeFallsBackToCreated() {
    fill(5);
    source.put("o2", minute(2)).putNull("updated_at").put("created_at", minute(2).toString());
    source.fault(
        (path, query, n) ->
            Optional.of(
                Response.json(
                    200,
                    "{\"items\": [{\"id\": \"a\", \"updated_at\": \"%s\"}, {\"id\": \"b\", \"updated_at\": null, \"created_at\": \"%s\"}], \"total\": 2}"
                        .formatted(minute(1), minute(2)))));
    assertThat(list(50)).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void aListThatMovesAllTheTimeLosesNoRowThatStandsStill(long seed) {
    Random random = new Random(seed);
    fill(300);
    AtomicInteger n = new AtomicInteger();
    source.afterEachPage(
        () -> {
          if (n.incrementAndGet() > 60) {
            return;
          }
          for (int i = random.nextInt(6); i > 0; i--) {
            String id = "o" + random.nextInt(150); // the first half moves
            if (random.nextBoolean()) {
              source.delete(id);
            } else {
              source.put(id, NOW.plusSeconds(n.get()));
            }
          }
        });
    List<String> listed = list(10 + random.nextInt(20));
    assertThat(listed).as("seed %d", seed).containsAll(ids(150, 300)).doesNotHaveDuplicates();
  }
}
