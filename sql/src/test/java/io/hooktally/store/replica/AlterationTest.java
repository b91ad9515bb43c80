package io.hooktally.store.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlterationTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":\"x\\u0000y\"} | {\"a\":\"x\\ufffdy\"}",
        "{\"k\\u0000\":1} | {\"k\\ufffd\":1}",
        "[\"\\ud800\",\"\\udc00x\"] | [\"\\ufffd\",\"\\ufffdx\"]",
        "{\"n\":[1e500]} | {\"n\":[\"1E+500\"]}",
        "{\"n\":1e-500} | {\"n\":\"1E-500\"}",
      })
  void replacesWhatTheDatabaseRefuses(String original, String altered) {
    Alteration alteration = Alteration.of(json(original));

    assertThat(alteration.altered()).isTrue();
    assertThat(alteration.body()).isEqualTo(json(altered));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "null",
        "\"\\ud83d\\ude00\"",
        "[1e308, -1.0e+28, 0.000000000000000000001, 9223372036854775808]",
        "{\"a\":{\"b\":[\"\\uffff\", true, null, -0]}}",
      })
  void leavesTheRestAlone(String original) {
    JsonNode body = json(original);

    Alteration alteration = Alteration.of(body);

    assertThat(alteration.altered()).isFalse();
    assertThat(alteration.body()).isSameAs(body);
  }

  private static JsonNode json(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
