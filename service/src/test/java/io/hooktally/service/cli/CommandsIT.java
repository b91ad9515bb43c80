package io.hooktally.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.DatabaseAddress;
import io.hooktally.store.Json;
import io.hooktally.store.testing.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands as processes: exit codes, and what goes to stdout and stderr. */
class CommandsIT {
  private static final String JAR = System.getProperty("hooktally.jar");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "server",
        "check",
        "db config.yml",
        "db vacuum config.yml",
        "demo --orders 49",
        "demo --orders many",
        "demo --seed x",
        "reconcile config.yml --source shop --from 2026-11-01",
        "reconcile config.yml --source shop --from 2026-11-02 --to 2026-11-01",
        "reconcile config.yml --source shop --from yesterday --to 2026-11-01",
        "backfill config.yml --source none --from 2026-11-01 --to 2026-11-02",
        "backfill config.yml --source shop --entity cart --from 2026-11-01 --to 2026-11-02",
        "report config.yml --run first",
        "report config.yml --format pdf",
        "ping config.yml",
        "ping config.yml --source none",
        "parked config.yml",
        "consumers stop config.yml",
        "replay config.yml --source shop --from 2026-11-02 --to 2026-11-01",
      })
  void wrongUsageEndsWith2(String line) throws Exception {
    config("");

    Ended ended = run(line.isEmpty() ? new String[0] : line.split(" "));

    assertThat(ended.code()).as(ended.toString()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.err()).isNotBlank().doesNotContain("\tat ");
    assertThat(ended.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "reconcile --help", "demo -h"})
  void helpEndsWith0(String line) throws Exception {
    Ended ended = run(line.split(" "));

    assertThat(ended.code()).isZero();
    assertThat(ended.out()).contains("usage:");
  }

  @Test
  void checkTellsWhatIsConfiguredOrWhatIsWrong() throws Exception {
    config("");
    Ended fine = run("check", "config.yml");
    assertThat(fine.code()).as(fine.toString()).isZero();
    assertThat(fine.out())
        .contains("source shop", "secrets set: yes, no")
        .doesNotContain("whsec_x");

    config("reconcile: {at: noon}\nrecieve: {}\n");
    Ended wrong = run("check", "config.yml");
    assertThat(wrong.code()).isEqualTo(ExitCode.FAILED);
    assertThat(wrong.err()).contains("reconcile.at", "recieve").doesNotContain("\tat ");

    Ended missing = run("check", "other.yml");
    assertThat(missing.code()).isEqualTo(ExitCode.FAILED);
    assertThat(missing.err()).contains("other.yml", "no such file");
  }

  @Test
  void aDatabaseOfTheUsersIsMigratedByDbMigrateOnly() throws Exception {
    DatabaseAddress address = TestDatabase.createEmptyAddress();
    config(
        "database: {url: '%s', user: %s, password: '${PASSWORD}'}\n"
            .formatted(address.url(), address.user()));
    Map<String, String> password = Map.of("PASSWORD", address.password().value());

    Ended refused = run(password, "server", "config.yml");
    assertThat(refused.code()).as(refused.toString()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("db migrate config.yml").doesNotContain("\tat ");

    Ended pending = run(password, "db", "status", "config.yml");
    assertThat(pending.out()).contains("pending ");
    assertThat(run(password, "db", "migrate", "config.yml").code()).isZero();
    assertThat(run(password, "db", "status", "config.yml").out()).contains("up to date");
  }

  @Test
  void aServerThatCannotStartStopsItsPostgresToo() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      config(
          """
          server:
            applicationConnectors: [{type: http, port: %d}]
            adminConnectors: [{type: http, port: 0}]
          """
              .formatted(taken.getLocalPort()));

      Ended ended = run("server", "config.yml");

      assertThat(ended.code()).as(ended.toString()).isEqualTo(ExitCode.FAILED);
      assertThat(ended.err()).contains("port is in use").doesNotContain("\tat ");
    }
    try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("PG_VERSION")
          .doesNotContain("postmaster.pid");
    }
  }

  @Test
  void pingSaysWhenNobodyListens() throws Exception {
    config("server: {applicationConnectors: [{type: http, port: 1}]}\n");

    Ended ended = run("ping", "config.yml", "--source", "shop");

    assertThat(ended.code()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).contains("http://127.0.0.1:1/webhooks/shop", "did not answer");
  }

  @Test
  void demoEndsWithOneLineOfJson() throws Exception {
    Ended ended = run("demo", "--seed", "3", "--orders", "50", "--json");

    assertThat(ended.code()).as(ended.toString()).isZero();
    assertThat(ended.out().strip().lines()).hasSize(1);
    JsonNode result = Json.parse(ended.out().strip().getBytes(StandardCharsets.UTF_8));
    assertThat(result.path("found").asInt())
        .isPositive()
        .isEqualTo(result.path("injected").asInt());
    assertThat(result.path("residual").asInt()).isZero();
    assertThat(result.path("seed").asInt()).isEqualTo(3);
    assertThat(ended.err()).doesNotContain("WARN").doesNotContain("INFO");
  }

  private void config(String more) throws IOException {
    Files.writeString(
        folder.resolve("config.yml"),
        more
            + """
            sources:
              shop:
                preset: revenexx
            """);
  }

  private Ended run(String... arguments) throws Exception {
    return run(Map.of(), arguments);
  }

  private Ended run(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-jar");
    command.add(JAR);
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("REVENEXX_WEBHOOK_SECRET", "whsec_x");
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private record Ended(int code, String out, String err) {}
}
