package io.hooktally.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.CompareConfig;
import io.hooktally.store.Json;
import io.hooktally.store.Lane;
import io.hooktally.store.replica.Alteration;
import io.hooktally.store.replica.CanonicalJson;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.EntityKey;
import io.hooktally.store.replica.Version;
import io.hooktally.store.run.Difference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the configuration says about comparing, from its JSON form on. */
class CompareOptionsTest {
  private static JsonNode json(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static BodyComparison comparison(String config) {
    try {
      return new BodyComparison(Json.mapper().treeToValue(json(config), CompareConfig.class));
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static List<String> differing(String config, String ours, String theirs) {
    return comparison(config).differences(json(ours), json(theirs)).stream()
        .map(Difference::pointer)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                             | {\"t\": [\"a\", \"b\"]}       | {\"t\": [\"b\", \"a\"]}    | /t/0 /t/1",
        "{\"sets\": [\"/t\"]}           | {\"t\": [\"a\", \"b\"]}       | {\"t\": [\"b\", \"a\"]}    | ",
        "{\"sets\": [\"/t\"]}           | {\"t\": [1, 1, 2]}            | {\"t\": [1, 2, 2]}         | /t",
        "{\"sets\": [\"/t\"]}           | {\"t\": [{\"a\": 1.0}, 2]}    | {\"t\": [2, {\"a\": 1}]}   | ",
        "{\"sets\": [\"/p/*/t\"]}       | {\"p\": [{\"t\": [1, 2]}]}    | {\"p\": [{\"t\": [2, 1]}]} | ",
        "{\"ignore\": [\"/p/*/x\"]}     | {\"p\": [{\"x\": 1, \"y\": 1}]} | {\"p\": [{\"x\": 2, \"y\": 2}]} | /p/0/y",
        "{\"ignore\": [\"/*/x\", \"/a/y\"]} | {\"a\": {\"x\": 1, \"y\": 1, \"z\": 1}} | {\"a\": {\"x\": 2, \"y\": 2, \"z\": 2}} | /a/z",
        "{\"only\": [\"/a\"]}           | {\"a\": {\"b\": 1}, \"c\": 1} | {\"a\": {\"b\": 2}, \"c\": 2} | /a/b",
        "{\"only\": [\"/a/b\"]}         | {\"a\": {\"b\": 1, \"c\": 1}} | {\"a\": {\"b\": 2, \"c\": 2}} | /a/b",
        "{\"only\": [\"/a/b\"]}         | {\"a\": {\"b\": 1}}           | {\"a\": null}              | /a/b",
        "{\"only\": [\"/a/b\"]}         | {\"a\": {\"c\": 1}}           | {}                         | ",
        "{\"tolerance\": {\"/a\": 0.01}} | {\"a\": 1.00}               | {\"a\": 1.01}              | ",
        "{\"tolerance\": {\"/a\": 0.01}} | {\"a\": 1.00}               | {\"a\": 1.0101}            | /a",
        "{\"tolerance\": {\"/a\": 0.01}} | {\"a\": 1, \"b\": 1}        | {\"a\": 1, \"b\": 1.001}   | /b",
        "{\"tolerance\": {\"/a\": 1}}   | {\"a\": 1}                    | {\"a\": 1e900000}          | /a",
        "{\"nullIsMissing\": false}     | {\"a\": null}                 | {}                         | /a",
        "{\"nullIsMissing\": false}     | {\"a\": null}                 | {\"a\": null}              | ",
        "{\"times\": {\"/a\": \"epoch_millis\"}} | {\"a\": 1778502397130} | {\"a\": \"2026-05-11T12:26:37.13Z\"} | ",
        "{\"times\": {\"/a\": \"epoch_millis\"}} | {\"a\": \"1778502397130\"} | {\"a\": 1778502397130.0} | ",
        "{\"times\": {\"/a\": \"epoch_seconds\"}} | {\"a\": 1778502397.13} | {\"a\": \"2026-05-11T14:26:37.130+0200\"} | ",
        "{\"times\": {\"/a\": \"epoch_millis\"}} | {\"a\": 1778502397130} | {\"a\": 1778502397131} | /a",
        "{}                             | {\"a\": 1778502397130}        | {\"a\": \"2026-05-11T12:26:37.13Z\"} | /a",
        "{\"times\": {\"/a\": \"EEE MMM dd HH:mm:ss Z yyyy\"}} | {\"a\": \"Mon May 11 12:26:37 +0000 2026\"} | {\"a\": \"2026-05-11T12:26:37Z\"} | ",
      })
  void optionsDecideWhatDiffers(String config, String ours, String theirs, String pointers) {
    assertThat(differing(config, ours, theirs))
        .isEqualTo(pointers == null ? List.of() : List.of(pointers.split(" ")));
  }

  /** The rule for the many ways to write one number, and for one in quotes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 | ",
        "10.0 | ",
        "1e1 | ",
        "10.0000 | ",
        "\"10.00\" | /total",
        "10.0001 | /total"
      })
  void aNumberIsItsValueAndATextIsNoNumber(String theirs, String pointer) {
    assertThat(differing("{}", "{\"total\": 10.00}", "{\"total\": " + theirs + "}"))
        .isEqualTo(pointer == null ? List.of() : List.of(pointer));
  }

  /** One instant, many spellings; and one that is none of them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-05-11T12:26:37.130Z | true",
        "2026-05-11T14:26:37.130+02:00 | true",
        "2026-05-11T14:26:37.130+0200 | true",
        "2026-05-11T12:26:37.130-00:00 | true",
        "2026-05-11T12:26:37.1300000Z | true",
        "2026-05-11 12:26:37.13 UTC | true",
        "2026-05-11T12:26:37.131Z | false",
        "Mon May 11 12:26:37 +0000 2026 | false",
      })
  void oneInstantHasManySpellings(String theirs, boolean same) {
    assertThat(
            differing("{}", "{\"at\": \"2026-05-11T12:26:37.13Z\"}", "{\"at\": \"" + theirs + "\"}")
                .isEmpty())
        .isEqualTo(same);
  }

  @Test
  void anAlteredRowMustHaveTheOriginalsHashAtDepthAggregate() {
    JsonNode applied = json("{\"a\": \"x\\u0000\"}");
    JsonNode now = json("{\"a\": \"x\\ud800\"}");
    Alteration stored = Alteration.of(applied);
    Entity row =
        new Entity(
            new EntityKey("shop", "order", "o1"),
            new Version(0, Instant.EPOCH, 1),
            false,
            stored.body(),
            CanonicalJson.hash(applied),
            stored.altered(),
            null,
            false,
            Lane.LIVE,
            null,
            Instant.EPOCH);
    assertThat(comparison("{\"depth\": \"aggregate\"}").differences(row, applied)).isEmpty();
    assertThat(comparison("{\"depth\": \"aggregate\"}").differences(row, now)).hasSize(1);
    assertThat(comparison("{}").differences(row, now)).isEmpty();
  }
}
