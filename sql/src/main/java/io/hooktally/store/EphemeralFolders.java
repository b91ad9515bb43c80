package io.hooktally.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folders of databases that do not last, all below one folder of this user in the temp folder.
 */
final class EphemeralFolders {
  private EphemeralFolders() {}

  /** Where the programs are unpacked, for all ephemeral databases of this user. */
  static Path programs() throws IOException {
    String user = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9]", "_");
    Path base = Path.of(System.getProperty("java.io.tmpdir"), "hooktally-" + user);
    try {
      Files.createDirectory(base, DataDirectory.onlyOurs("rwx------"));
    } catch (java.nio.file.FileAlreadyExistsException e) {
      refuseForeign(base);
    }
    return base.toRealPath();
  }

  /** A new folder for one database. */
  static Path create() throws IOException {
    return Files.createTempDirectory(programs(), "database-", DataDirectory.onlyOurs("rwx------"));
  }

  /** Stops and removes databases whose process is gone. */
  static void removeAbandoned() throws IOException {
    List<Path> folders;
    try (Stream<Path> children = Files.list(programs())) {
      folders =
          children.filter(child -> child.getFileName().toString().startsWith("database-")).toList();
    }
    for (Path folder : folders) {
      removeIfAbandoned(folder);
    }
  }

  private static void removeIfAbandoned(Path folder) throws IOException {
    DataDirectory directory = new DataDirectory(folder);
    // Without a password it is one that another process has only just created.
    if (!Files.exists(directory.superuserPasswordFile())) {
      return;
    }
    Optional<DirectoryLock> lock = DirectoryLock.tryLock(directory.lockFile());
    if (lock.isEmpty()) {
      return;
    }
    try {
      if (new PostgresServer(directory).isAlive()) {
        PostgresBundle bundle = PostgresBundle.unpack(programs());
        new PostgresPrograms(directory, bundle).stop("immediate", java.time.Duration.ofSeconds(20));
      }
      DataDirectory.deleteRecursively(folder);
    } finally {
      lock.get().close();
    }
  }

  /** Programs are run from here: it must be nobody else's. */
  private static void refuseForeign(Path base) throws IOException {
    Path probe = Files.createTempFile("hooktally-", "");
    try {
      if (!Files.getOwner(base, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(probe))) {
        throw new StoreException(base + " belongs to another user. Remove it.");
      }
    } finally {
      Files.delete(probe);
    }
  }
}
