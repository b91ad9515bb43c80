package io.hooktally.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.CompareConfig;
import io.hooktally.store.Json;
import io.hooktally.store.replica.Alteration;
import io.hooktally.store.run.Difference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyComparisonTest {
  private static JsonNode json(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<Difference> differences(String ours, String theirs, String... ignored) {
    return new BodyComparison(CompareConfig.defaults().ignoring(List.of(ignored)))
        .differences(json(ours), json(theirs));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\": 10.00} | {\"a\": 10}",
        "{\"a\": 10} | {\"a\": 1e1}",
        "{\"a\": 0} | {\"a\": -0.0}",
        "{\"a\": 10.1234} | {\"a\": 10.12340}",
        "{\"a\": 9007199254740993} | {\"a\": 9007199254740993.0}",
        "{\"a\": null} | {}",
        "{} | {\"a\": null}",
        "{\"a\": {\"b\": null}} | {\"a\": {}}",
        "{\"a\": 1, \"b\": 2} | {\"b\": 2, \"a\": 1}",
        "{\"a\": \"2026-05-11T12:26:37.13Z\"} | {\"a\": \"2026-05-11T14:26:37.130+0200\"}",
        "{\"a\": \"2026-05-11 12:26:37.13 UTC\"} | {\"a\": \"2026-05-11T12:26:37.130-00:00\"}",
        "{\"a\": [1, {\"b\": 2.0}]} | {\"a\": [1.0, {\"b\": 2}]}",
      })
  void notationIsNoDifference(String ours, String theirs) {
    assertThat(differences(ours, theirs)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\": 10} | {\"a\": \"10\"} | /a",
        "{\"a\": 9007199254740993} | {\"a\": 9007199254740992} | /a",
        "{\"a\": 0.1} | {\"a\": 0.10000000000000001} | /a",
        "{\"a\": null} | {\"a\": \"x\"} | /a",
        "{\"a\": \"x\"} | {} | /a",
        "{\"a\": null} | {\"a\": \"\"} | /a",
        "{\"a\": null} | {\"a\": false} | /a",
        "{\"a\": [1, 2]} | {\"a\": [2, 1]} | /a/0",
        "{\"a\": [1]} | {\"a\": [1, 2]} | /a",
        "{\"a\": {\"b\": 1}} | {\"a\": [1]} | /a",
        "{\"a/b\": {\"~\": 1}} | {\"a/b\": {\"~\": 2}} | /a~1b/~0",
        "{\"a\": \"2026-05-11\"} | {\"a\": \"2026-05-12\"} | /a",
      })
  void anotherValueIsADifference(String ours, String theirs, String pointer) {
    assertThat(differences(ours, theirs))
        .first()
        .extracting(Difference::pointer)
        .isEqualTo(pointer);
  }

  @Test
  void ignoredPointersAndAllBelowThemAreLeftOut() {
    assertThat(differences("{\"a\": {\"b\": 1}, \"c\": 1}", "{\"a\": {\"b\": 2}, \"c\": 2}", "/a"))
        .extracting(Difference::pointer)
        .containsExactly("/c");
  }

  @Test
  void theSourcesSideIsAlteredAlike() {
    String theirs = "{\"a\": \"x\\u0000\\ud800y\", \"b\": 1e500}";
    JsonNode ours = Alteration.of(json(theirs)).body();
    assertThat(new BodyComparison(CompareConfig.defaults()).differences(ours, json(theirs)))
        .isEmpty();
  }

  @Test
  void differencesAreBoundedInNumberAndLength() {
    String many =
        IntStream.range(0, 100)
            .mapToObj(i -> "\"k" + i + "\": \"" + "😀".repeat(1000) + "\"")
            .collect(Collectors.joining(",", "{", "}"));
    List<Difference> differences = differences("{}", many);
    assertThat(differences).hasSize(20);
    assertThat(differences).allSatisfy(d -> assertThat(d.theirs().length()).isLessThan(210));
    assertThat(differences)
        .allSatisfy(
            d ->
                assertThat(d.theirs())
                    .isEqualTo(
                        new String(
                            d.theirs().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)));
  }

  @Test
  void fieldsThatOnlyTheListHasAreNotVouchedFor() {
    CoveredFields fields = new CoveredFields();
    fields.learn(json("{\"a\": 1, \"n\": 2, \"z\": null}"), json("{\"a\": 1}"));
    assertThat(fields.of(json("{\"a\": 1, \"n\": 2}"))).containsExactly("a");
    assertThat(fields.of(json("{\"b\": 1}"))).containsExactly("a", "b");
    assertThat(fields.covered(CompareConfig.defaults().ignoring(List.of("/b"))))
        .containsExactly("a");
  }
}
