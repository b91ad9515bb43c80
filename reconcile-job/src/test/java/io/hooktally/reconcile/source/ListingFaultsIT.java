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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings by range, by created time, and of sources that misbehave in the middle of a list. */
class ListingFaultsIT {
  private static final Instant NOW = Instant.parse("2026-05-11T12:00:00Z");
  private final FakeSource source = new FakeSource(new HandClock(NOW));

  @AfterEach
  void close() {
    source.close();
  }

  private static Instant minute(int ago) {
    return NOW.minus(Duration.ofMinutes(ago));
  }

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "o" + i).toList();
  }

  // id 0 is the newest
  private void fill(int rows) {
    IntStream.range(0, rows).forEach(i -> source.put("o" + i, minute(i)));
  }

  private List<String> list(String list, ListRequest request) {
    List<String> ids = new ArrayList<>();
    String entity = "{\"list\": {\"path\": \"/v1/orders\", " + list + "}}";
    try (SourceClient client = new SourceClient(source.config(entity), new HandClock(NOW))) {
      client.list(request, rows -> rows.forEach(row -> ids.add(row.id())));
    }
    return ids;
  }

  private List<String> list(int pageSize) {
    return list("\"pageSize\": " + pageSize, ListRequest.everything("order", ListOrder.MODIFIED));
  }

  // ---- ranges

  private static final String RANGE =
      "\"pageSize\": 5, \"fromParam\": \"from\", \"toParam\": \"to\"";

  private static ListRequest range(int oldest, int newest) {
    return new ListRequest("order", minute(oldest), minute(newest), ListOrder.MODIFIED);
  }

  @Test
  void aRangeIsAskedForAndItsBordersLoseNothing() {
    fill(60);
    source.takesRange();
    assertThat(list(RANGE, range(30, 10))).isEqualTo(ids(11, 31));
    assertThat(source.requests()).allMatch(r -> r.contains("from=") && r.contains("to="));
    assertThat(source.requests().size()).isLessThan(8);
  }

  @Test
  void aRangeFilterThatIsIgnoredFailsTheListing() {
    fill(60);
    assertThatThrownBy(() -> list(RANGE, range(30, 10)))
        .isInstanceOf(IncompleteListingException.class)
        .hasMessageContaining("filter was ignored");
  }

  @Test
  void withoutRangeKeysTheListIsWalkedFromItsTop() {
    fill(60);
    assertThat(list("\"pageSize\": 5", range(30, 10))).isEqualTo(ids(11, 31));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"channel\": \"web\"}|true",
        "{\"channel\": \"web\", \"other\": 1}|true",
        "{\"channel\": \"shop\"}|false",
        "{\"channel\": null}|false",
        "{}|false",
        "null|false"
      })
  void aFilterThatTheSourceDoesNotShowAsAppliedFailsTheListing(String shown, boolean complete) {
    source.fault(
        (path, query, n) ->
            Optional.of(
                Response.json(200, "{\"items\": [], \"total\": 0, \"filter\": " + shown + "}")));
    String list = "\"query\": {\"channel\": \"web\"}, \"filter\": \"/filter\"";
    ListRequest all = ListRequest.everything("order", ListOrder.MODIFIED);
    if (complete) {
      assertThat(list(list, all)).isEmpty();
    } else {
      assertThatThrownBy(() -> list(list, all))
          .isInstanceOf(IncompleteListingException.class)
          .hasMessageContaining("channel");
    }
  }

  // ---- by created time

  @Test
  void byCreatedTimeTheListIsWalkedToItsVeryEndAndUpdatesMoveNothing() {
    fill(57);
    AtomicInteger page = new AtomicInteger();
    source.afterEachPage(
        () -> source.change("o" + (56 - page.getAndIncrement()), NOW, "status", "x"));
    assertThat(list("\"pageSize\": 5", ListRequest.everything("order", ListOrder.CREATED)))
        .isEqualTo(ids(0, 57));
  }

  @Test
  void byCreatedTimeARowSaysBothTimes() {
    source.put("o1", minute(9));
    source.change("o1", minute(3), "status", "x");
    try (SourceClient client = new SourceClient(source.config(), new HandClock(NOW))) {
      client.list(
          ListRequest.everything("order", ListOrder.CREATED),
          rows -> {
            assertThat(rows.get(0).sortedBy()).isEqualTo(minute(9));
            assertThat(rows.get(0).modified()).isEqualTo(minute(3));
          });
    }
  }

  @Test
  void aRowWithoutACreatedTimeCannotBePlaced() {
    source.fault(
        (path, query, n) ->
            Optional.of(
                Response.json(
                    200, "{\"items\": [{\"id\": \"a\", \"updated_at\": \"%s\"}]}".formatted(NOW))));
    assertThatThrownBy(
            () -> list("\"pageSize\": 5", ListRequest.everything("order", ListOrder.CREATED)))
        .isInstanceOf(IncompleteListingException.class)
        .hasMessageContaining("created time");
  }

  // ---- faults in the middle

  @Test
  void aRowTouchedBetweenPagesHidesNoOther() {
    fill(5);
    AtomicBoolean once = new AtomicBoolean(true);
    source.afterEachPage(
        () -> {
          if (once.getAndSet(false)) {
            source.put("o0", NOW.plusSeconds(1));
          }
        });
    assertThat(list(2)).isEqualTo(ids(0, 5));
  }

  @Test
  void aShortPageIsNotTheEndAlsoWhereTheSourceSaysNothing() {
    fill(150);
    source.omit(true, true, true);
    source.show(row -> !row.get("id").asText().equals("o60"));
    List<String> expected = new ArrayList<>(ids(0, 150));
    expected.remove("o60");
    assertThat(list(50)).isEqualTo(expected);
  }

  @Test
  void theSamePageAnsweredTwiceLosesNothing() {
    fill(40);
    AtomicBoolean once = new AtomicBoolean(true);
    source.omit(true, false, true);
    source.fault(
        (path, query, n) -> {
          if (n == 3 && once.getAndSet(false)) {
            query.put("offset", "9");
          }
          return Optional.empty();
        });
    assertThat(list(10)).isEqualTo(ids(0, 40));
  }

  @Test
  void pagesThatGoRoundInCirclesFailTheListing() {
    fill(40);
    source.omit(true, false, true);
    source.fault(
        (path, query, n) -> {
          query.put("offset", n % 2 == 0 ? "9" : "0");
          return Optional.empty();
        });
    assertThatThrownBy(() -> list(10))
        .isInstanceOf(IncompleteListingException.class)
        .hasMessageContaining("again and again");
    assertThat(source.requests().size()).isLessThan(250);
  }

  @Test
  void anOrderThatIsKeptOnlyWithinEachPageFailsTheListing() {
    fill(40);
    source.fault(
        (path, query, n) -> {
          int offset = Integer.parseInt(query.getOrDefault("offset", "0"));
          query.put("offset", String.valueOf(Math.max(0, 30 - offset / 10 * 10)));
          return Optional.empty();
        });
    source.omit(true, true, true);
    assertThatThrownBy(() -> list(10)).isInstanceOf(IncompleteListingException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"500", "401", "cut", "html", "error"})
  void aListThatFailsInTheMiddleIsNoListing(String how) {
    fill(50);
    Map<String, Response> answers =
        Map.of(
            "500", Response.json(500, "{}"),
            "401", Response.json(401, "{}"),
            "cut", Response.json(200, "{\"items\": []").cutShort(),
            "html", new Response(200, "text/html", "<html>login</html>", Map.of()),
            "error", Response.json(200, "{\"ok\": false}"));
    source.fault((path, query, n) -> n < 3 ? Optional.empty() : Optional.of(answers.get(how)));
    assertThatThrownBy(() -> list(10)).isInstanceOf(SourceException.class);
  }

  @Test
  void aPageWhoseBodyWasCutShortIsAskedForAgain() {
    fill(50);
    source.fault(
        (path, query, n) ->
            n == 3
                ? Optional.of(Response.json(200, "{\"items\": [], \"total\": 0}").cutShort())
                : Optional.empty());
    assertThat(list(10)).isEqualTo(ids(0, 50));
  }
}
