package io.hooktally.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DatabaseConfigTest {
  private static final Secret PASSWORD = new Secret("hidden");

  @Test
  void isEmbeddedUnlessToldOtherwise() {
    DatabaseConfig config = new DatabaseConfig(null, null, null, null, null, null);
    assertThat(config.isEmbedded()).isTrue();
    assertThat(config.dataDir()).isEqualTo(Path.of("data"));
    assertThat(config.poolSize()).isEqualTo(16);
    assertThat(config.connectionTimeout()).isEqualTo(Duration.ofMillis(1500));
    assertThat(config.problems("database")).isEmpty();
  }

  @Test
  void takesAServer() {
    DatabaseConfig config =
        new DatabaseConfig(
            "jdbc:postgresql://db/x?password=hidden", "me", PASSWORD, 100, null, null);
    assertThat(config.problems("database")).isEmpty();
    assertThat(config.address().user()).isEqualTo("me");
    assertThat(config.toString()).contains("//db/x").doesNotContain("hidden");
  }

  @Test
  void namesTheKeyAndTheWayOut() {
    assertThat(
            new DatabaseConfig("mysql://db", "", PASSWORD, 1, null, Duration.ofMillis(5))
                .problems("database"))
        .hasSize(4)
        .anySatisfy(
            problem ->
                assertThat(problem).contains("database.url", "'embedded'", "jdbc:postgresql:"))
        .anySatisfy(problem -> assertThat(problem).contains("database.password", "database.user"))
        .anySatisfy(problem -> assertThat(problem).contains("database.poolSize", "1", "2 to 500"))
        .anySatisfy(problem -> assertThat(problem).contains("connectionTimeout", "5 ms", "250 ms"));
  }

  @Test
  void refusesCredentialsForADatabaseOfOurOwn() {
    assertThat(new DatabaseConfig("embedded", "me", PASSWORD, 50, null, null).problems("db"))
        .hasSize(2)
        .anySatisfy(problem -> assertThat(problem).contains("db.user", "db.url"))
        .anySatisfy(problem -> assertThat(problem).contains("2 to 40", "embedded"));
  }
}
