package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.InvalidJsonException;
import io.hooktally.store.Json;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageReaderTest {
  private static final String ROW =
      "{ \"n\": {\"id\": \"inner\", \"x\": [1, {}]}, \"s\": \"Stra\u00dfe \\\"{]\", \"id\" : \"o1\", \"at\":null }";
  private static final String PAGE =
      "{\"page\": {\"hasMore\": true, \"of\": [1, 2]}, \"items\": [" + ROW + " , {\"id\":2.50}]}";

  private final Pointers items = new Pointers(List.of("/items", "/data/list"));
  private final PageReader reader = reader("/id", "/at");

  private PageReader reader(String... fields) {
    return new PageReader(items, List.of(new Pointers(List.of(fields))));
  }

  private static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  private List<PageReader.Row> rows(PageReader by, byte[] page) {
    PageReader.Answer answer = by.read(page);
    return answer.rows(items.find(answer.envelope(), JsonNode::isArray)).orElseThrow();
  }

  @Test
  void theEnvelopeIsATreeAndRowsStayTextButForWhatIsAskedFor() {
    assertThat(reader.read(bytes(PAGE)).envelope())
        .isEqualTo(Json.parse(bytes("{\"page\":{\"hasMore\":true,\"of\":[1,2]},\"items\":[]}")));
    List<PageReader.Row> rows = rows(reader, bytes(PAGE));
    assertThat(rows)
        .extracting(row -> row.text().tree())
        .containsExactly(Json.parse(bytes(ROW)), Json.parse(bytes("{\"id\":2.50}")));
    assertThat(rows)
        .extracting(row -> row.head().toString())
        .containsExactly("{\"id\":\"o1\",\"at\":null}", "{\"id\":2.50}");
  }

  @Test
  void whatStandsDeeperIsFoundToo() {
    List<PageReader.Row> rows = rows(reader("/n/id"), bytes(PAGE));
    assertThat(rows.get(0).head()).isEqualTo(Json.parse(bytes(ROW)));
    assertThat(rows.get(0).text().tree()).isEqualTo(Json.parse(bytes(ROW)));
  }

  @Test
  void theFirstPlaceThatHasRowsCounts() {
    assertThat(rows(reader, bytes("{\"data\":{\"list\":[{\"id\":1}]},\"items\":null}"))).hasSize(1);
    assertThat(rows(reader, bytes("{\"data\":{\"list\":[{}]},\"items\":[]}"))).isEmpty();
  }

  @Test
  void ofKeysThatComeTwiceTheLastCountsAsInATree() {
    assertThat(rows(reader, bytes("{\"items\":[{}],\"items\":[{\"id\":1,\"id\":2},{}]}")))
        .extracting(row -> row.head().toString())
        .containsExactly("{\"id\":2}", "{}");
    PageReader.Answer answer = reader.read(bytes("{\"items\":[{}],\"items\":{}}"));
    assertThat(items.find(answer.envelope(), JsonNode::isArray).isMissingNode()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE"})
  void otherEncodingsAndMarksMakeNoDifference(String encoding) {
    for (String mark : List.of("", "\uFEFF")) {
      assertThat(rows(reader, (mark + PAGE).getBytes(Charset.forName(encoding))))
          .extracting(row -> row.text().tree())
          .containsExactly(Json.parse(bytes(ROW)), Json.parse(bytes("{\"id\":2.50}")));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"items\":[{\"id\":1}",
        "{\"items\":[{\"id\":1,}]}",
        "{\"items\":[{\"x\":\"a\nb\"}]}",
        "{\"items\":[{\"x\":01}]}",
        "{\"items\":[{\"x\":[1 2]}]}",
        "{\"items\":[{\"x\":tru}]}",
        "{\"items\":[{'x':1}]}",
        "{\"items\":[]} x",
        "{\"items\":[]}{}",
        "<html>"
      })
  void whatIsNotJsonIsRefusedAlsoWhereNobodyLooks(String page) {
    assertThatThrownBy(() -> reader.read(bytes(page))).isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void nestingWithoutEndIsRefused() {
    String deep = "{\"items\":[{\"x\":" + "[".repeat(2000) + "]".repeat(2000) + "}]}";
    assertThatThrownBy(() -> reader.read(bytes(deep))).isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void numbersBeyondTheLimitsAreRefused() {
    String page = "{\"items\":[{\"id\":\"o1\",\"x\":" + "9".repeat(1001) + "}]}";
    assertThatThrownBy(() -> reader.read(bytes(page)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("limits");
  }
}
