package io.hooktally.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What config.yml is told when it cannot work: the key, the shape wanted, the remedy. */
class ConfigProblemsTest {
  private static final String SECRET = "whsec_do_not_show";

  private final ConfigReader reader = new ConfigReader(Map.of("SET", "value"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "recieve: {}|recieve|one of [",
        "receive: {maxBodySise: 1MiB}|receive.maxBodySise|one of [keepPayloads, maxBodySize, queueBytes]",
        "receive: {maxBodySize: big}|receive.maxBodySize|a size such as",
        "receive: {maxBodySize: 1GiB}|receive.maxBodySize|a size from 1KiB to 256MiB",
        "receive: {keepPayloads: 1d}|receive.keepPayloads|7d or more",
        "receive: 5|receive|a section with keys of [keepPayloads, maxBodySize, queueBytes]",
        "receive: [5]|receive|a section with keys of",
        "reconcile: {at: noon}|reconcile.at|a time of day",
        "reconcile: {zone: Mars/Olympus}|reconcile.zone|a time zone",
        "reconcile: {mode: repair}|reconcile.mode|one of [fix, report]",
        "reconcile: {lookback: soon}|reconcile.lookback|a duration such as",
        "database: {poolSize: many}|database.poolSize|a whole number",
        "database: {url: 'mysql://x'}|database.url|jdbc:postgresql:",
        "sources: {x: {preset: shopping}}|sources.x.preset|one of [revenexx, outpost, standard-webhooks, svix, stripe, github, shopify]",
        "sources: {x: {preset: revenexx, lagg: 5s}}|sources.x.lagg|one of [",
        "sources: {x: {preset: revenexx, lag: long}}|sources.x.lag|a duration such as",
        "sources: {x: {preset: revenexx, api: {attempts: few}}}|sources.x.api.attempts|a whole number",
        "sources: {x: {preset: revenexx, api: {url: 'nowhere'}}}|sources.x.api.url|http",
        "sources: {x: {preset: revenexx, signature: {scheme: rot13}}}|sources.x.signature.scheme|outpost",
        "sources: {x: {preset: revenexx, signature: {form: 'x'}}}|sources.x.signature.form|{signature}",
        "sources: {x: {preset: revenexx, signature: {content: 'x'}}}|sources.x.signature.content|{body}",
        "sources: {x: {preset: revenexx, signature: {content: '{timestamp}.{body}'}}}|sources.x.signature.content|{body}, {header.Name}",
        "sources: {x: {preset: stripe, signature: {content: '{body}'}}}|sources.x.signature.form, content|scheme stripe says both",
        "sources: {x: {preset: revenexx, signature: {previousNotAfter: soon}}}|sources.x.signature.previousNotAfter|a time in UTC",
        "sources: {x: {preset: revenexx, signature: {tolerance: 0s}}}|sources.x.signature.tolerance|a duration above zero",
        "sources: {x: {preset: stripe, event: {id: [id]}}}|sources.x.event.id|a JSON pointer",
        "sources: {x: {preset: revenexx, entities: {order: {apply: later}}}}|sources.x.entities.order.apply|reread",
        "sources: {x: {preset: revenexx, entities: {order: {list: {pageSice: 1}}}}}|sources.x.entities.order.list.pageSice|pageSize",
        "sources: {x: {}}|sources.x.api.url|http",
        "server: {gzip: {enabled: true}}|server.gzip.enabled|false",
        "server: {type: simple}|server.type|default",
        "server: {maxThreads: lots}|server.maxThreads|a whole number",
        "server: {applicationConnectors: [{type: htp}]}|server.applicationConnectors[0]|type",
        "logging: {levle: INFO}|logging.levle|level",
        "reconcile: {zone: '${UNSET_ZONE}'}|reconcile.zone|${NAME:-}",
      })
  void namesTheKeyAndTheShape(String yaml, String key, String shape) throws Exception {
    Collection<String> problems = reader.problems(yaml);

    assertThat(problems).anyMatch(line -> line.startsWith(key) && line.contains(shape));
    assertThat(problems)
        .noneMatch(
            line ->
                line.contains("java.")
                    || line.contains("io.hooktally")
                    || line.contains("Exception"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sources: {x: {preset: revenexx, signature: {secrets: [%s]}}}",
        "sources: {x: {preset: revenexx, signature: {secrets: %s}}}",
        "sources: {x: {preset: revenexx, signature: {secrets: ['${KEY:-%s}']}}}",
        "sources: {x: {preset: revenexx, signature: {secrets: ['x${SET}%s']}}}",
        "sources: {x: {preset: revenexx, signature: {secrets: [{text: %s}]}}}",
        "sources: {x: {preset: revenexx, signature: %s}}",
        "sources: {x: {preset: revenexx, api: {secretHeaders: {Authorization: %s}}}}",
        "database: {url: 'jdbc:postgresql://h/d', user: u, password: %s}",
        "alerts: {webhookUrl: 'https://chat.example.com/%s'}",
        "server: {adminConnectors: [{type: https, keyStorePassword: %s}]}",
      })
  void refusesASecretWrittenOutWithoutShowingIt(String yaml) throws Exception {
    assertThat(reader.problems(yaml.formatted(SECRET)))
        .isNotEmpty()
        .noneMatch(line -> line.contains(SECRET));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "'::'", "192.0.2.7", "no-such-host.invalid"})
  void refusesAnAdminPortThatOthersCanReach(String host) throws Exception {
    assertThat(
            reader.problems(
                "server: {adminConnectors: [{type: http, bindHost: %s}]}".formatted(host)))
        .singleElement()
        .asString()
        .startsWith("server.adminConnectors[0].bindHost")
        .contains("127.0.0.1");
  }

  @Test
  void refusesASecretFileThatIsNotThere() throws Exception {
    assertThat(
            reader.problems(
                "sources: {x: {preset: revenexx, signature: {secrets: [{file: /no/such/file}]}}}"))
        .singleElement()
        .asString()
        .startsWith("sources.x.signature.secrets[0].file")
        .contains("/no/such/file", "does not exist");
  }

  @Test
  void tellsAllProblemsAtOnceAndEachOnce() throws Exception {
    Collection<String> problems =
        reader.problems(
            """
            recieve: {}
            reconcile: {at: noon, zone: Mars}
            sources:
              x:
                preset: revenexx
                lag: long
                api: {url: nowhere, secretHeaders: {A: literal}}
                signature: {secrets: ["${NOT_SET}"]}
            """);

    assertThat(problems)
        .extracting(line -> line.replaceAll(": .*", ""))
        .containsExactlyInAnyOrder(
            "recieve",
            "reconcile.at",
            "reconcile.zone",
            "sources.x.lag",
            "sources.x.api.url",
            "sources.x.api.secretHeaders.A",
            "sources.x.signature.secrets[0]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: [", "a: b: c", "- 1", "just text", "a: 1\na: 2", "\tx: 1"})
  void saysWhereItIsNotYaml(String text) throws Exception {
    assertThat(reader.problems(text)).singleElement().asString().doesNotContain("yaml.snakeyaml");
  }
}
