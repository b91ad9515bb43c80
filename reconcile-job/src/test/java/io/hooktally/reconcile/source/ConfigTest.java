package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigTest {
  private final ObjectMapper mapper =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  @Test
  void bindsEveryKey() throws Exception {
    SourceConfig config =
        mapper
            .readValue(
                """
                {"signature": {"scheme": "outpost", "header": "X-Signature"},
                 "event": {"idHeader": "X-Event-Id", "topicHeader": "X-Topic", "keepHeaders": ["X-*"]},
                 "api": {"url": "https://api.example.com", "headers": {"Accept-Language": "en"},
                   "callTimeout": "10s", "connectTimeout": "500ms", "attempts": 3, "backoff": "PT2S",
                   "maxBackoff": "1m", "maxResponse": "4 MiB", "requestsPerSecond": 2.5,
                   "concurrency": 2},
                 "lag": "5s", "settle": "0s",
                 "entities": {"order": {"topics": ["order.*"], "deleteTopics": "order.deleted",
                   "apply": "payload", "id": ["/order_id", "/id"], "entity": "/data",
                   "modified": "/updated_at", "created": "/created_at",
                   "list": {"path": "/v1/orders", "items": "/items", "pageSize": 50,
                     "createdSort": "created.desc", "by": "created", "editReach": "90d",
                     "fromParam": "since", "toParam": "until", "filter": "/filter",
                     "query": {"tenant": "a"}},
                   "timeFormat": "epoch_millis",
                   "read": {"path": "/v1/orders/{id}", "deleted": "/deleted"}, "compare": {"ignore": "/etag",
                     "only": ["/a"], "tolerance": {"/b": 0.01}, "sets": "/tags",
                     "nullIsMissing": false, "times": {"/at": "epoch_millis"},
                     "depth": "aggregate"},
                   "unannounced": "/score", "sums": {"field": "/a/total", "by": "/a/currency"},
                   "feed": "events", "maxFixShare": 0.2}}}
                """,
                SourceConfig.class)
            .named("shop");

    assertThat(config.problems()).isEmpty();
    assertThat(config.lag()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.api().maxResponse()).isEqualTo(new ByteSize(4 << 20));
    assertThat(config.api().connectTimeout()).isEqualTo(Duration.ofMillis(500));
    EntityConfig order = config.entity("order");
    assertThat(order.type()).isEqualTo("order");
    assertThat(order.apply()).isEqualTo(ApplyMode.PAYLOAD);
    assertThat(order.deleteTopics()).containsExactly("order.deleted");
    assertThat(order.list().pageSize()).isEqualTo(50);
    assertThat(order.list().by()).isEqualTo(ListOrder.CREATED);
    assertThat(order.list().editReach()).isEqualTo(Duration.ofDays(90));
    assertThat(order.list().takesRange()).isTrue();
    assertThat(order.timeFormat()).isEqualTo("epoch_millis");
    assertThat(order.read().deleted()).containsExactly("/deleted");
    assertThat(config.api().requestsPerSecond()).isEqualTo(2.5);
    assertThat(config.api().concurrency()).isEqualTo(2);
    assertThat(order.compare().tolerance()).containsEntry("/b", new BigDecimal("0.01"));
    assertThat(order.compare().depth()).isEqualTo(CompareDepth.AGGREGATE);
    assertThat(order.compare().nullIsMissing()).isFalse();
    assertThat(order.unannounced()).containsExactly("/score");
    assertThat(order.sums()).containsExactly(new SumConfig("/a/total", "/a/currency"));
  }

  @Test
  void whatIsSummedMustBeComparedExactly() {
    CompareConfig compare =
        new CompareConfig(
            List.of("/x/*/ignored"),
            List.of("/x", "/y"),
            Map.of("/y/about", BigDecimal.ONE),
            null,
            null,
            Map.of("/at", "noon"),
            null);
    assertThat(compare.problems("compare"))
        .extracting(Problem::key)
        .containsExactly("compare.times./at");
    assertThat(new SumConfig("/x/total", "/y/currency").problems("sums[0]", compare)).isEmpty();
    assertThat(new SumConfig("/x/1/ignored", null).problems("sums[0]", compare)).hasSize(1);
    assertThat(new SumConfig("/y/about", null).problems("sums[0]", compare)).hasSize(1);
    assertThat(new SumConfig("/x/total", "/z").problems("sums[0]", compare))
        .extracting(Problem::key)
        .containsExactly("sums[0].by");
    assertThat(new SumConfig(null, null).problems("sums[0]", compare)).isNotEmpty();
  }

  @Test
  void takesTheShortFormOfSignature() throws Exception {
    assertThat(
            mapper.readValue("{\"signature\": \"none\"}", SourceConfig.class).signature().scheme())
        .isEqualTo(SignatureScheme.NONE);
  }

  @Test
  void namesEachProblemWithItsKey() throws Exception {
    SourceConfig config =
        mapper
            .readValue(
                """
                {"api": {"url": "ftp://x", "callTimeout": "0s", "concurrency": 0,
                   "requestsPerSecond": -1},
                 "entities": {"order": {"topics": ["*"], "id": "order_id",
                   "timeFormat": "someday",
                   "list": {"path": "orders", "by": "created", "fromParam": "since"}, "read": {"path": "/orders"}, "maxFixShare": 7}}}
                """,
                SourceConfig.class)
            .named("shop");

    List<String> keys = config.problems().stream().map(Problem::key).toList();
    assertThat(keys)
        .containsExactlyInAnyOrder(
            "sources.shop.signature.header",
            "sources.shop.event.idHeader",
            "sources.shop.api.url",
            "sources.shop.api.callTimeout",
            "sources.shop.api.concurrency",
            "sources.shop.api.requestsPerSecond",
            "sources.shop.entities.order.timeFormat",
            "sources.shop.entities.order.list.editReach",
            "sources.shop.entities.order.list.fromParam/toParam",
            "sources.shop.entities.order.id",
            "sources.shop.entities.order.maxFixShare",
            "sources.shop.entities.order.list.path",
            "sources.shop.entities.order.read.path");
    assertThat(config.problems()).allSatisfy(p -> assertThat(p.remedy()).isNotBlank());
  }
}
