package io.hooktally.store;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The PostgreSQL programs (initdb, pg_ctl, postgres) that Hooktally brings, unpacked to a
 * directory.
 *
 * <p>They are unpacked beside the data they serve rather than in the temp folder: nobody else can
 * write there, a temp cleaner does not pull them from under a server that runs for months, and two
 * users do not trip over each other's copy.
 *
 * @param home the directory that holds bin, lib and share
 */
record PostgresBundle(Path home) {
  private static final String PREFIX = "postgresql-";
  private static final String UNFINISHED_PREFIX = ".unpack-";
  private static final String SIZE_FILE = ".unpacked-bytes";
  private static final int NAME_BYTES = 8;

  /**
   * Unpacks the programs for this machine below {@code parent}, unless they are there already. Safe
   * to call from several processes at once.
   *
   * @throws StoreException when there is no bundle for this platform
   */
  static PostgresBundle unpack(Path parent) throws IOException {
    byte[] archive = archive();
    Path home = parent.resolve(PREFIX + digest(archive));
    if (isWhole(home)) {
      return new PostgresBundle(home);
    }
    Path fresh = Files.createTempDirectory(parent, UNFINISHED_PREFIX);
    try {
      long bytes = extract(archive, fresh);
      Files.writeString(fresh.resolve(SIZE_FILE), Long.toString(bytes));
      moveIntoPlace(fresh, home);
    } finally {
      DataDirectory.deleteRecursively(fresh);
    }
    return new PostgresBundle(home);
  }

  /** Path of one of the programs, {@code initdb}, {@code pg_ctl} or {@code postgres}. */
  String program(String name) {
    return home.resolve("bin").resolve(isWindows() ? name + ".exe" : name).toString();
  }

  /** Deletes other bundles in that directory, and what was left half unpacked. */
  void removeOthersIn(Path parent) throws IOException {
    List<Path> others;
    try (Stream<Path> children = Files.list(parent)) {
      others = children.filter(child -> isBundle(child) && !child.equals(home)).toList();
    }
    for (Path other : others) {
      DataDirectory.deleteRecursively(other);
    }
  }

  private static boolean isBundle(Path child) {
    String name = child.getFileName().toString();
    return name.startsWith(PREFIX) || name.startsWith(UNFINISHED_PREFIX);
  }

  private static boolean isWindows() {
    return System.getProperty("os.name", "").startsWith("Windows");
  }

  private static byte[] archive() throws IOException {
    String name = System.getProperty("os.name", "");
    String system = isWindows() ? "Windows" : name.startsWith("Mac") ? "Darwin" : "Linux";
    String machine = System.getProperty("os.arch", "");
    try (InputStream in = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, machine)) {
      return in.readAllBytes();
    } catch (IllegalStateException e) {
      throw new StoreException(
          String.format(
              Locale.ROOT,
              "Hooktally brings no PostgreSQL for this platform (%s, %s). Run a PostgreSQL server"
                  + " and name it in config.yml: database.url: jdbc:postgresql://host:5432/hooktally",
              name,
              machine),
          e);
    }
  }

  private static String digest(byte[] archive) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(archive);
      return HexFormat.of().formatHex(hash, 0, NAME_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Unpacked by us and nothing lost since, be it to a power cut or to a cleaner. */
  private static boolean isWhole(Path home) throws IOException {
    Path size = home.resolve(SIZE_FILE);
    if (!Files.isRegularFile(size)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(home)) {
      long bytes =
          files
              .filter(file -> Files.isRegularFile(file) && !Files.isSymbolicLink(file))
              .filter(file -> !file.equals(size))
              .mapToLong(file -> file.toFile().length())
              .sum();
      return Files.readString(size).equals(Long.toString(bytes));
    }
  }

  /** The rename is the commit: a directory of the final name is complete. */
  private static void moveIntoPlace(Path fresh, Path home) throws IOException {
    if (Files.exists(home) && !isWhole(home)) {
      DataDirectory.deleteRecursively(home);
    }
    try {
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
      // Another process was faster; ours is deleted by the caller.
    } catch (IOException e) {
      if (!isWhole(home)) {
        throw e;
      }
    }
  }

  private static long extract(byte[] archive, Path target) throws IOException {
    long bytes = 0;
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path file = target.resolve(entry.getName()).normalize();
        if (!file.startsWith(target)) {
          throw new IOException("entry outside of the archive: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else if (entry.isSymbolicLink()) {
          Files.createDirectories(file.getParent());
          Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else {
          Files.createDirectories(file.getParent());
          bytes += Files.copy(tar, file);
          markExecutable(target, file);
        }
      }
    }
    return bytes;
  }

  private static void markExecutable(Path target, Path file) throws IOException {
    if (file.startsWith(target.resolve("bin")) && !file.toFile().setExecutable(true, true)) {
      throw new IOException("could not make " + file + " executable");
    }
  }
}
