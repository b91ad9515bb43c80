package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityMappingTest {
  private final SourceConfig config = config();
  private final EntityMapping mapping = new EntityMapping(config);

  private static SourceConfig config() {
    try {
      return Json.mapper()
          .readValue(
              """
              {"entities": {"order": {"topics": ["order.*"], "deleteTopics": ["order.deleted"],
                "id": ["/order_id", "/data/order_id", "/data/id", "/id"], "entity": ["/data", ""]},
               "product": {"topics": ["product.c+d", "pro*.x"]}}}
              """,
              SourceConfig.class)
          .named("shop");
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode json(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"order_id\": \"a\", \"id\": \"event\"} | a",
        "{\"data\": {\"order_id\": \"a\", \"id\": \"event\"}} | a",
        "{\"data\": {\"id\": \"a\"}, \"id\": \"event\"} | a",
        "{\"id\": \"a\"} | a",
        "{\"order_id\": null, \"id\": \"a\"} | a",
        "{\"order_id\": \"  \", \"id\": \"a\"} | a",
        "{\"order_id\": {\"x\": 1}, \"id\": 17} | 17",
        "{\"order_id\": 1.5, \"id\": 90071992547409931234} | 90071992547409931234",
      })
  void findsTheIdWithFallbacks(String body, String id) {
    assertThat(mapping.ref("order.placed", json(body)))
        .isEqualTo(new EntityRef("order", id, false));
  }

  @Test
  void knowsDeleteTopics() {
    assertThat(mapping.ref("order.deleted", json("{\"id\": 1}")).deleteTopic()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "7",
        "null",
        "{\"id\": true}",
        "{\"id\": \"a\\u0000b\"}",
        "{\"id\": \"\\ud800\"}",
        "{\"id\": \"a\\ude00\"}"
      })
  void aBodyWithoutAnIdIsInvalid(String body) {
    assertThatThrownBy(() -> mapping.ref("order.placed", json(body)))
        .isInstanceOf(InvalidEventException.class);
  }

  @Test
  void globsMatchWholeTopics() {
    assertThat(mapping.typeOf("order.item.cancelled")).map(EntityConfig::type).contains("order");
    assertThat(mapping.typeOf("product.c+d")).map(EntityConfig::type).contains("product");
    assertThat(mapping.typeOf("product.ccd")).isEmpty();
    assertThat(mapping.typeOf("preorder.placed")).isEmpty();
    assertThat(mapping.typeOf(null)).isEmpty();
    assertThat("order.placed\nx").doesNotMatch(mapping.topicRegex());
    assertThat("order.placed").matches(mapping.topicRegex());
  }

  @Test
  void readsTimesOfDeliveries() {
    EntityConfig order = config.entity("order");
    String created = "\"created_at\": \"2026-01-01T00:00:00Z\"";
    assertThat(mapping.modified(order, json("{\"updated_at\": \"2026-01-02T00:00:00+0000\"}")))
        .isEqualTo(Instant.parse("2026-01-02T00:00:00Z"));
    assertThat(mapping.modified(order, json("{\"updated_at\": null, " + created + "}")))
        .isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(mapping.modified(order, json("{" + created + "}"))).isNull();
    assertThatThrownBy(() -> mapping.modified(order, json("{\"updated_at\": \"secret\"}")))
        .isInstanceOf(InvalidEventException.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void readsTimesInTheConfiguredNotation() throws Exception {
    String times = "{\"entities\": {\"order\": {\"topics\": [\"*\"], \"timeFormat\": \"%s\"}}}";
    Instant instant = Instant.parse("2026-05-11T12:26:37.130Z");
    for (String[] one :
        new String[][] {
          {"epoch_seconds", "1778502397.13"},
          {"epoch_millis", "1778502397130"},
          {"epoch_millis", "\"1778502397130\""},
          {"epoch_micros", "1778502397130000"}
        }) {
      SourceConfig epoch =
          Json.mapper().readValue(times.formatted(one[0]), SourceConfig.class).named("shop");
      EntityConfig order = epoch.entity("order");
      assertThat(new EntityMapping(epoch).modified(order, json("{\"updated_at\": " + one[1] + "}")))
          .as("%s %s", one[0], one[1])
          .isEqualTo(instant);
    }
    assertThatThrownBy(
            () -> mapping.modified(config.entity("order"), json("{\"updated_at\": 1778502397}")))
        .isInstanceOf(InvalidEventException.class);
  }

  @Test
  void findsTheEntityInTheBody() {
    EntityConfig order = config.entity("order");
    assertThat(mapping.entity(order, json("{\"data\": {\"id\": 1}}")))
        .isEqualTo(json("{\"id\": 1}"));
    assertThat(mapping.entity(order, json("{\"id\": 1, \"data\": 5}")))
        .isEqualTo(json("{\"id\": 1, \"data\": 5}"));
    assertThatThrownBy(() -> mapping.entity(order, json("[]")))
        .isInstanceOf(InvalidEventException.class);
  }
}
