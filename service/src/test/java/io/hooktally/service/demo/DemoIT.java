package io.hooktally.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The main job end to end: found equals injected to the row, all fixed, nothing left. */
class DemoIT {
  @ParameterizedTest
  @CsvSource({"1, 300", "20261201, 50", "-5, 75"})
  void findsExactlyWhatIsWrongAndFixesIt(long seed, int orders, @TempDir Path folder)
      throws Exception {
    Path page = folder.resolve("report.html");
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    Story story = new Story(new PrintStream(told, true, StandardCharsets.UTF_8));

    DemoResult result = new Demo(InstantSource.system(), story, page).play(seed, orders);

    String screen = told.toString(StandardCharsets.UTF_8);
    assertThat(result.found()).as(screen).isEqualTo(result.injected());
    assertThat(result.holds()).as(screen).isTrue();
    assertThat(result.injected().values()).contains("missing", "stale", "different", "extra");
    assertThat(result.json().path("byKind").path("extra").asInt()).isBetween(1, 10);
    assertThat(screen).contains("Fixed: all of them.");
    assertThat(Files.readString(page)).contains("no delivery", "grand_total", "EUR");
  }
}
