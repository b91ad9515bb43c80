package io.hooktally.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import io.hooktally.store.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against what PostgreSQL really prints. */
class JsonbMatchIT {
  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  private final JsonbMatch match = new JsonbMatch();

  private static byte[] printed(String json) {
    return DATABASE
        .get()
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery("select cast(cast(:json as jsonb) as text)")
                    .bind("json", json)
                    .mapTo(String.class)
                    .one())
        .getBytes(StandardCharsets.UTF_8);
  }

  private static JsonNode parse(String json) {
    return Json.parse(json.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"b\": 1, \"a\": [], \"ccc\": {}, \"aa\": null}",
        "{\"n\": [0, -1, 12.5000, 0.0001, 1e3, 9007199254740993, 123456789012345678901]}",
        "{\"s\": [\"\", \"Stra\u00dfe\", \"\u20ac\", \"x / y\"], \"t\": true, \"f\": false}",
        "{\"o\": {\"zip\": \"1\", \"city\": \"b\"}, \"list\": [{\"b\": 1, \"a\": 2}, {\"c\": 3}]}"
      })
  void whatTheDatabasePrintsIsRecognised(String json) {
    assertThat(match.matches(parse(json), printed(json), List.of(), List.of())).isTrue();
    assertThat(match.matches(parse(json), printed(json), List.of(), List.of()))
        .as("again, by the keys it knows")
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\": 1} | {\"a\": 2}",
        "{\"a\": 1} | {}",
        "{} | {\"a\": 1}",
        "{\"a\": \"1\"} | {\"a\": 1}",
        "{\"a\": null} | {}",
        "{\"a\": [1, 2]} | {\"a\": [1]}",
        "{\"a\": [1]} | {\"a\": [1, 2]}",
        "{\"a\": \"x\"} | {\"a\": \"xy\"}",
        "{\"a\": \"xy\"} | {\"a\": \"x\"}",
        "{\"a\": {\"b\": 1}} | {\"a\": {\"c\": 1}}",
        // A value that spells what follows it.
        "{\"x\": \"a\\\", \\\"y\\\": \\\"c\"} | {\"x\": \"a\", \"y\": \"c\"}",
        "{\"a\\\": 1, \\\"b\": 2} | {\"a\": 1, \"b\": 2}",
        "{\"x\": \"\u0141\"} | {\"x\": \"A\"}",
        "{\"x\": true} | {\"x\": \"true\"}"
      })
  void whatDiffersIsNever(String theirs, String ours) {
    assertThat(match.matches(parse(theirs), printed(ours), List.of(), List.of())).isFalse();
  }

  @Test
  void fieldsOfOneSideOnlyAreLeftOut() {
    byte[] ours =
        printed(
            """
            {"id": "1", "positions": [{"sku": "a, }]\\" b"}], "zz": {"x": [1]}, "status": "s", "returns": []}
            """);
    List<String> onlyOurs = List.of("zz", "returns", "positions");
    assertThat(
            match.matches(
                parse("{\"status\": \"s\", \"row\": 5, \"id\": \"1\"}"),
                ours,
                List.of("row"),
                onlyOurs))
        .isTrue();
    assertThat(
            match.matches(parse("{\"status\": \"s\", \"id\": \"1\"}"), ours, List.of(), onlyOurs))
        .isTrue();
    assertThat(
            match.matches(parse("{\"status\": \"t\", \"id\": \"1\"}"), ours, List.of(), onlyOurs))
        .isFalse();
    assertThat(match.matches(parse("{\"status\": \"s\"}"), ours, List.of(), onlyOurs)).isFalse();
    assertThat(match.matches(parse("{}"), ours, List.of(), onlyOurs)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aChangeOfAnyCharacterIsSeen(long seed) {
    Random random = new Random(seed);
    String json =
        "{\"id\": \"o1\", \"total\": 12.50, \"tags\": [\"a\", \"b\"], \"x\": {\"y\": null}}";
    byte[] ours = printed(json);
    for (int i = 0; i < 200; i++) {
      byte[] changed = ours.clone();
      int at = random.nextInt(changed.length);
      changed[at] = (byte) (changed[at] + 1 + random.nextInt(20));
      assertThat(match.matches(parse(json), changed, List.of(), List.of()))
          .as("seed %d, byte %d", seed, at)
          .isFalse();
    }
    assertThat(match.matches(parse(json), ours, List.of(), List.of())).isTrue();
    byte[] cut = java.util.Arrays.copyOf(ours, ours.length - 1);
    assertThat(match.matches(parse(json), cut, List.of(), List.of())).isFalse();
  }
}
