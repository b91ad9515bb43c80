package io.hooktally.store.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | 1.0",
        "1 | 1e0",
        "100 | 1E+2",
        "0 | -0.0",
        "1234567890.1234 | 1234567890.12340",
        "9007199254740993 | 9007199254740993.0",
        "9223372036854775808 | 9.223372036854775808e18",
        "{\"a\":1,\"b\":[2,{}]} | { \"b\" : [2.0, {}], \"a\" : 1.00 }",
        "\"\\u00e9\" | \"é\"",
        "{\"a\":2} | {\"a\":1,\"a\":2}",
      })
  void oneSpellingForEqualValues(String one, String other) {
    assertThat(CanonicalJson.write(json(one))).isEqualTo(CanonicalJson.write(json(other)));
    assertThat(CanonicalJson.hash(json(one))).isEqualTo(CanonicalJson.hash(json(other)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | \"1\"",
        "9007199254740992 | 9007199254740993",
        "0.1 | 0.10000000000000001",
        "{\"a\":null} | {}",
        "null | false",
        "[1,2] | [2,1]",
        "\"\\ud800\" | \"\\ud801\"",
        "\"\\ud800\" | \"?\"",
        "\"a\" | \"\\u200ba\"",
      })
  void anotherSpellingForOtherValues(String one, String other) {
    assertThat(CanonicalJson.hash(json(one))).isNotEqualTo(CanonicalJson.hash(json(other)));
  }

  private static JsonNode json(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
