package io.hooktally.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.hooktally.reconcile.source.ApplyMode;
import io.hooktally.reconcile.source.SignatureScheme;
import io.hooktally.reconcile.source.SourceConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What config.yml becomes. */
class ConfigFileTest {
  private static final Path SHIPPED =
      Files.exists(Path.of("config.yml")) ? Path.of("config.yml") : Path.of("../config.yml");

  private final ConfigReader reader = new ConfigReader(Map.of());

  @Test
  void theShippedFileLoadsWithoutAnythingInTheEnvironment() throws Exception {
    HooktallyConfiguration configuration = reader.read(SHIPPED);

    SourceConfig source = configuration.sources().get("revenexx");
    assertThat(source.signature().usable(Instant.EPOCH)).isEmpty();
    assertThat(source.signature().header()).isEqualTo("X-Revenexx-Signature");
    assertThat(source.api().url()).isEqualTo("https://api.revenexx.com");
    assertThat(source.api().secretHeaders().get("X-Revenexx-Api-Key").isConfigured()).isFalse();
    assertThat(source.entity("order").apply()).isEqualTo(ApplyMode.REREAD);
    assertThat(source.entity("order").id())
        .containsExactly("/order_id", "/data/order_id", "/data/id", "/id");
    assertThat(configuration.database().isEmbedded()).isTrue();
    assertThat(configuration.database().dataDir())
        .isEqualTo(SHIPPED.toAbsolutePath().getParent().resolve("data"));
  }

  @Test
  void theShippedFileTakesSecretsFromTheEnvironment() throws Exception {
    HooktallyConfiguration configuration =
        new ConfigReader(
                Map.of(
                    "REVENEXX_WEBHOOK_SECRET", "whsec_1",
                    "REVENEXX_TENANT", "acme",
                    "REVENEXX_API_KEY", "rvxk_1"))
            .read(SHIPPED);

    SourceConfig source = configuration.sources().get("revenexx");
    assertThat(source.signature().usable(Instant.EPOCH))
        .singleElement()
        .extracting("value")
        .isEqualTo("whsec_1");
    assertThat(source.api().headers()).containsEntry("X-Revenexx-Tenant", "acme");
    assertThat(source.api().secretHeaders().get("X-Revenexx-Api-Key").value()).isEqualTo("rvxk_1");
  }

  @Test
  void anEmptyFileHasDefaults() throws Exception {
    HooktallyConfiguration configuration = reader.read("");

    assertThat(configuration.sources()).isEmpty();
    assertThat(configuration.receive().maxBodySize().bytes()).isEqualTo(1 << 20);
    assertThat(configuration.reconcile().at()).isEqualTo(LocalTime.of(4, 30));
    assertThat(configuration.reconcile().zone()).isEqualTo(ZoneId.of("UTC"));
    assertThat(configuration.alerts().webhookUrl().isConfigured()).isFalse();
  }

  @Test
  void bothPortsAreOnTheLoopbackUnlessSaidOtherwise() throws Exception {
    DefaultServerFactory defaults = server(reader.read("sources:\n"));
    assertThat(host(defaults.getApplicationConnectors())).isEqualTo("127.0.0.1");
    assertThat(host(defaults.getAdminConnectors())).isEqualTo("127.0.0.1");

    DefaultServerFactory own =
        server(
            reader.read(
                """
                server:
                  applicationConnectors: [{type: http, port: 9000}]
                  adminConnectors: [{type: http, port: 9001}]
                """));
    assertThat(host(own.getApplicationConnectors())).isEqualTo("127.0.0.1");
    assertThat(host(own.getAdminConnectors())).isEqualTo("127.0.0.1");
    assertThat(own.getGzipFilterFactory().isEnabled()).isFalse();

    DefaultServerFactory open =
        server(
            reader.read(
                "server: {applicationConnectors: [{type: http, bindHost: 0.0.0.0, port: 9000}]}"));
    assertThat(host(open.getApplicationConnectors())).isEqualTo("0.0.0.0");
  }

  @Test
  void everyKeyCanBeWritten() throws Exception {
    HooktallyConfiguration configuration =
        new ConfigReader(
                Map.of("KEY", "k", "OLD", "", "URL", "https://chat.example.com/x", "PW", "p"))
            .read(
                """
                database: {url: "jdbc:postgresql://db:5432/h", user: h, password: "${PW}", poolSize: 4}
                receive: {maxBodySize: 2 MiB, queueBytes: 8MiB}
                reconcile: {zone: Europe/Berlin, at: "03:15", mode: report, lookback: 36h}
                alerts: {webhookUrl: "${URL}"}
                sources:
                  shop:
                    signature: {scheme: outpost, header: X-Sig, secrets: ["${KEY}", "${OLD:-}"]}
                    event: {idHeader: X-Id, topicHeader: X-Topic, keepHeaders: ["X-*"]}
                    api:
                      url: http://127.0.0.1:1
                      headers: {X-Tenant: t}
                      secretHeaders: {Authorization: "${KEY}"}
                      callTimeout: PT9S
                      connectTimeout: 500ms
                      attempts: 2
                      backoff: 10ms
                      maxBackoff: 1m
                      maxResponse: 2MiB
                    lag: 1s
                    settle: 0s
                    entities:
                      thing:
                        topics: thing.*
                        deleteTopics: [thing.deleted]
                        apply: payload
                        id: /id
                        entity: [/data, ""]
                        modified: /m
                        created: /c
                        list: {path: /things, items: [/items], pageSize: 100}
                        read: {path: "/things/{id}"}
                        compare: {ignore: [/seen]}
                        feed: events
                        maxFixShare: 0.25
                """);

    SourceConfig shop = configuration.sources().get("shop");
    assertThat(shop.name()).isEqualTo("shop");
    assertThat(shop.signature().usable(Instant.EPOCH)).hasSize(1);
    assertThat(shop.api().callTimeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(shop.lag()).isEqualTo(Duration.ofSeconds(1));
    assertThat(shop.entity("thing").topics()).containsExactly("thing.*");
    assertThat(shop.entity("thing").apply()).isEqualTo(ApplyMode.PAYLOAD);
    assertThat(configuration.database().password().value()).isEqualTo("p");
    assertThat(configuration.receive().maxBodySize().bytes()).isEqualTo(2 << 20);
    assertThat(configuration.reconcile())
        .isEqualTo(
            new ReconcileConfig(
                ZoneId.of("Europe/Berlin"),
                LocalTime.of(3, 15),
                io.hooktally.store.run.RunMode.REPORT,
                io.hooktally.reconcile.job.SweepPlan.MONTHLY,
                Duration.ofHours(36),
                Duration.ofDays(7)));
    assertThat(configuration.alerts().toString()).doesNotContain("chat.example.com");
  }

  @Test
  void whatTheUserWritesWinsOverThePreset() throws Exception {
    HooktallyConfiguration configuration =
        reader.read(
            """
            sources:
              a:
                preset: revenexx
                api: {url: "http://127.0.0.1:9"}
                entities: {order: {topics: [order.placed]}}
              b:
                preset: revenexx
                signature: none
            """);

    SourceConfig a = configuration.sources().get("a");
    assertThat(a.api().url()).isEqualTo("http://127.0.0.1:9");
    assertThat(a.api().headers()).containsKey("X-Revenexx-Tenant");
    assertThat(a.entity("order").topics()).isEqualTo(List.of("order.placed"));
    assertThat(a.entity("order").list().path()).isEqualTo("/v1/orders");
    assertThat(configuration.sources().get("b").signature().scheme())
        .isEqualTo(SignatureScheme.NONE);
  }

  @Test
  void aValueCannotBreakTheStructure() throws Exception {
    String nasty = "a\"b'c: {d}\n- e # ${HOME} \\";
    HooktallyConfiguration configuration =
        new ConfigReader(Map.of("REVENEXX_WEBHOOK_SECRET", nasty, "REVENEXX_TENANT", nasty))
            .read("# ${NOT_SET} in a comment\nsources: {revenexx: {preset: revenexx}}");

    SourceConfig source = configuration.sources().get("revenexx");
    assertThat(source.signature().usable(Instant.EPOCH).get(0).value()).isEqualTo(nasty);
    assertThat(source.api().headers()).containsEntry("X-Revenexx-Tenant", nasty);
  }

  @Test
  void aSecretMayLieInAFileBesideTheConfiguration(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("secret"), "whsec_file\n");
    Path file = folder.resolve("config.yml");
    Files.writeString(
        file, "sources: {r: {preset: revenexx, signature: {secrets: [{file: secret}]}}}");

    assertThat(reader.read(file).sources().get("r").signature().usable(Instant.EPOCH))
        .singleElement()
        .extracting("value")
        .isEqualTo("whsec_file");
  }

  private static DefaultServerFactory server(HooktallyConfiguration configuration) {
    return (DefaultServerFactory) configuration.getServerFactory();
  }

  private static String host(List<?> connectors) {
    return ((HttpConnectorFactory) connectors.get(0)).getBindHost();
  }
}
