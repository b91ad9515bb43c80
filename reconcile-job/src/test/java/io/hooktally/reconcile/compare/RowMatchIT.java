package io.hooktally.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.source.RowText;
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
class RowMatchIT {
  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  private final RowMatch match = new RowMatch();

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

  /** As a row of a page: with something before and behind it. */
  private boolean matches(String row, byte[] ours) {
    return matches(row, ours, List.of(), List.of());
  }

  private boolean matches(String row, byte[] ours, List<String> onlyListed, List<String> onlyOurs) {
    byte[] page = ("[" + row + "]").getBytes(StandardCharsets.UTF_8);
    return match.matches(
        new RowText(page, 1, page.length - 1), ours, new RowMatch.OneSided(onlyListed, onlyOurs));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"b\": 1, \"a\": [], \"ccc\": {}, \"aa\": null}",
        "{\"n\": [0, -1, 12.5000, 0.0001, 9007199254740993, 123456789012345678901]}",
        "{\"s\": [\"\", \"Stra\u00dfe\", \"\u20ac\", \"x / y\"], \"t\": true, \"f\": false}",
        "{\"u\": \"a\\/b \\u00fc \\u20ac \\ud83d\\ude00 \\\" \\\\ \\n\\t\\r\\b\\f\"}",
        " {\n\t\"o\" : { \"b\":[ 1 ,2 , {} ] , \"a\" : \"x\"\r\n} }",
        "{\"\u00fc\": 1, \"ab\": 2, \"\u20ac\": 3, \"abc\": 4, \"a b\": 5}",
        "{\"o\": {\"zip\": \"1\", \"city\": \"b\"}, \"list\": [{\"b\": 1, \"a\": 2}, {\"c\": 3}]}"
      })
  void whatTheDatabasePrintsIsRecognised(String json) {
    assertThat(matches(json, printed(json))).isTrue();
    assertThat(matches(json, printed(json))).as("again, by the keys it knows").isTrue();
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
        "{\"a\": 1, \"a\": 1} | {\"a\": 1}",
        "{\"a\": 1} | {\"a\": 12}",
        "{\"a\": 12} | {\"a\": 1}",
        "{\"x\": \"\\ud83d\"} | {\"x\": \"?\"}",
        "{\"x\": \"\\ud83dxxxxxx\"} | {\"x\": \"?xxxxxx\"}",
        "{\"x\": \"\\ud83d\\u0041\"} | {\"x\": \"?A\"}",
        "{\"x\": \"a\\u0022b\"} | {\"x\": \"ab\"}",
        "{\"x\": \"a\\u0000\"} | {\"x\": \"a\"}",
        "{\"x\": true} | {\"x\": \"true\"}"
      })
  void whatDiffersIsNever(String theirs, String ours) {
    assertThat(matches(theirs, printed(ours))).isFalse();
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
            matches(
                "{\"status\": \"s\", \"row\": 5, \"id\": \"1\"}", ours, List.of("row"), onlyOurs))
        .isTrue();
    assertThat(matches("{\"status\": \"s\", \"id\": \"1\"}", ours, List.of(), onlyOurs)).isTrue();
    assertThat(matches("{\"status\": \"t\", \"id\": \"1\"}", ours, List.of(), onlyOurs)).isFalse();
    assertThat(matches("{\"status\": \"s\"}", ours, List.of(), onlyOurs)).isFalse();
    assertThat(matches("{}", ours, List.of(), onlyOurs)).isFalse();
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
      assertThat(matches(json, changed)).as("seed %d, byte %d", seed, at).isFalse();
    }
    assertThat(matches(json, ours)).isTrue();
    byte[] cut = java.util.Arrays.copyOf(ours, ours.length - 1);
    assertThat(matches(json, cut)).isFalse();
  }
}
