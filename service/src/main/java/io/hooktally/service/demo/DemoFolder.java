package io.hooktally.service.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The demo's temporary folder: configuration, database, log. Gone afterwards, unless kept. */
final class DemoFolder implements AutoCloseable {
  private final Path folder;
  private boolean kept;

  private DemoFolder(Path folder) {
    this.folder = folder;
  }

  static DemoFolder create() throws IOException {
    return new DemoFolder(Files.createTempDirectory("hooktally-demo-"));
  }

  Path config() {
    return folder.resolve("config.yml");
  }

  Path log() {
    return folder.resolve("hooktally.log");
  }

  void keep(boolean keep) {
    kept = keep;
  }

  /** Writes a configuration such as a user would. */
  void write(String apiUrl, String webhookSecret, String apiKey) throws IOException {
    Files.writeString(folder.resolve("webhook-secret"), webhookSecret);
    Files.writeString(folder.resolve("api-key"), apiKey);
    Files.writeString(
        config(),
        """
        database:
          url: embedded
          dataDir: data
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
        logging:
          appenders: [{type: file, currentLogFilename: "%s", archive: false}]
        sources:
          revenexx:
            preset: revenexx
            signature:
              secrets: [{file: webhook-secret}]
            api:
              url: %s
              headers: {X-Revenexx-Tenant: demo}
              secretHeaders:
                X-Revenexx-Api-Key: {file: api-key}
            lag: 200ms
            settle: 1s
        """
            .formatted(log().toString().replace("\\", "\\\\"), apiUrl));
  }

  @Override
  public void close() throws IOException {
    if (kept) {
      return;
    }
    List<Path> inside;
    try (Stream<Path> walk = Files.walk(folder)) {
      inside = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : inside) {
      Files.deleteIfExists(path);
    }
  }
}
