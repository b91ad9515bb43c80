package io.hooktally.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.service.HooktallyApplication;
import io.hooktally.service.RunningService;
import io.hooktally.store.Json;
import io.hooktally.store.Lease;
import io.hooktally.store.Leases;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code reconcile} and {@code backfill} as processes beside a running server. */
class RunCommandIT {
  private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");
  private static final int ORDERS = 60;

  @TempDir Path folder;
  private String key = "k";

  @Test
  void joinTheServersDatabaseAndEndWithTheCodesThatScriptsRelyOn() throws Exception {
    SimulatedPlatform platform = new SimulatedPlatform();
    LifeCycle lives = new LifeCycle(DAY, new Random(1));
    OrderState first = lives.live(ORDERS).get(0).after();
    platform.change(first);
    for (int number = 1; number < ORDERS; number++) {
      platform.change(lives.live(number).get(0).after());
    }
    Path config = folder.resolve("config.yml");
    try (PlatformServer api = new PlatformServer(platform, "k")) {
      api.start();
      Files.writeString(
          config,
          """
          server:
            applicationConnectors: [{type: http, port: 0}]
            adminConnectors: [{type: http, port: 0}]
          logging: {level: WARN}
          sources:
            shop:
              preset: revenexx
              settle: 0s
              lag: 0s
              api:
                url: %s
                headers: {X-Revenexx-Tenant: t}
                secretHeaders: {X-Revenexx-Api-Key: "${KEY}"}
          """
              .formatted(api.url()));
      try (RunningService service =
          RunningService.start(
              new HooktallyApplication(InstantSource.system(), Map.of("KEY", "k")::get), config)) {
        assertThat(command("backfill", "--json")).startsWith("0 ").contains("\"loaded\":60");
        assertThat(command("reconcile"))
            .startsWith("0 ")
            .contains("Source and replica agree: of 60");

        platform.change(
            first.changed(first.updatedAt().plusSeconds(1), o -> o.columns().put("status", "x")));
        assertThat(command("reconcile", "--dry-run")).startsWith("3 ").contains("left 1");
        String report = command("reconcile", "--json");
        assertThat(report).startsWith("3 ");
        assertThat(
                Json.parse(report.substring(2).strip().getBytes(StandardCharsets.UTF_8))
                    .path("counts")
                    .path("fixed")
                    .asInt())
            .isEqualTo(1);
        assertThat(command("reconcile")).startsWith("0 ");

        Leases leases = new Leases(service.pieces().storage().work());
        Lease held =
            leases.acquire("run:shop:order", "somebody", Duration.ofMinutes(1)).orElseThrow();
        assertThat(command("reconcile")).startsWith("1 ").contains("somebody");
        leases.release(held);

        // A wrong key instead of a stopped platform: the run fails at once.
        key = "other";
        assertThat(command("reconcile")).startsWith("1 ");
        int ones =
            service
                .pieces()
                .storage()
                .work()
                .withHandle(handle -> handle.createQuery("select 1").mapTo(Integer.class).one());
        assertThat(ones).as("the server's database goes on").isEqualTo(1);
      }
    }
  }

  /** Exit code, a blank, stdout (or stderr where stdout is empty). */
  private String command(String name, String... more) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                System.getProperty("hooktally.jar"),
                name,
                "config.yml",
                "--source",
                "shop",
                "--from",
                "2026-11-20",
                "--to",
                "2026-11-21"));
    line.addAll(List.of(more));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("KEY", key);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(out);
    return process.exitValue() + " " + (said.isEmpty() ? Files.readString(err) : said);
  }
}
