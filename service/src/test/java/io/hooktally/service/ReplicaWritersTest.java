package io.hooktally.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Only apply writes the replica: what ArchUnit cannot see is SQL, so the sources are searched. */
class ReplicaWritersTest {
  private static final Pattern WRITES =
      Pattern.compile(
          "\\b(insert\\s+into|update|delete\\s+from|truncate(\\s+table)?|copy)\\s+(hooktally\\.)?entity\\b",
          Pattern.CASE_INSENSITIVE);

  @Test
  void noOtherClassHasSqlThatWritesTheEntityTable() throws IOException {
    List<String> writers =
        Stream.of("sql", "reconcile-job", "service")
            .map(module -> Path.of("..", module, "src", "main"))
            .flatMap(ReplicaWritersTest::files)
            .filter(file -> WRITES.matcher(text(file)).find())
            .map(file -> file.getFileName().toString())
            .toList();

    // The demo's stranger changes rows behind the service's back: that is what it is for.
    assertThat(writers).containsExactlyInAnyOrder("EntityRows.java", "Stranger.java");
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
