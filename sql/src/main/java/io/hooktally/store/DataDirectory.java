package io.hooktally.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The directory that holds an embedded PostgreSQL, and what lies where in it.
 *
 * <pre>
 * pgdata/               PostgreSQL's own data directory
 * log/                  PostgreSQL's log, one file per weekday
 * password              of the role hooktally
 * superuser-password    of the role postgres, used to set up
 * port                  the port used last, taken again if it is free
 * lock                  held by the process that owns the server
 * postgresql-.../       the unpacked programs
 * </pre>
 *
 * @param root the directory itself, absolute and without symbolic links
 */
record DataDirectory(Path root) {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final int PASSWORD_BYTES = 24;

  /**
   * Creates the directory if need be and makes sure that we may use it.
   *
   * @throws StoreException when it cannot be created, written to, or belongs to another user
   */
  static DataDirectory prepare(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      // An existing symbolic link to a directory would make createDirectories fail.
      if (!Files.isDirectory(absolute)) {
        Files.createDirectories(absolute.getParent() == null ? absolute : absolute.getParent());
        Files.createDirectories(absolute, onlyOurs("rwx------"));
      }
      DataDirectory directory = new DataDirectory(absolute.toRealPath());
      directory.refuseForeignOwner();
      Files.createDirectories(directory.log(), onlyOurs("rwx------"));
      return directory;
    } catch (IOException e) {
      throw new StoreException(
          String.format(
              Locale.ROOT,
              "The data directory %s cannot be used by user %s: %s. Make it writable for that user,"
                  + " or name another directory in config.yml: database.dataDir",
              absolute,
              userName(),
              reason(e) + owner(absolute)),
          e);
    }
  }

  Path pgdata() {
    return root.resolve("pgdata");
  }

  Path log() {
    return root.resolve("log");
  }

  Path lockFile() {
    return root.resolve("lock");
  }

  Path portFile() {
    return root.resolve("port");
  }

  Path superuserPasswordFile() {
    return root.resolve("superuser-password");
  }

  Path passwordFile() {
    return root.resolve("password");
  }

  /** True once initdb has completed here. */
  boolean isInitialised() {
    return Files.exists(pgdata());
  }

  /** True when Hooktally runs as the operating system's root user. */
  boolean isUsedByRoot() throws IOException {
    return isRoots(log());
  }

  private static boolean isRoots(Path file) throws IOException {
    return POSIX && Integer.valueOf(0).equals(Files.getAttribute(file, "unix:uid"));
  }

  /** Reads a password file. */
  static String readPassword(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new StoreException(
          String.format(
              Locale.ROOT,
              "The password of the embedded PostgreSQL cannot be read from %s: %s. Restore the file,"
                  + " or move %s away to begin with an empty database.",
              file,
              reason(e),
              file.getParent()),
          e);
    }
  }

  /** Writes a new random password, readable by us alone, unless the file is there already. */
  static void createPassword(Path file) throws IOException {
    if (Files.exists(file)) {
      return;
    }
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    writeDurably(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
  }

  /** Replaces a small file in one step, with mode 0600, and makes it survive a power cut. */
  static void writeDurably(Path file, String text) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Path fresh = Files.createTempFile(parent, ".new-", "", onlyOurs("rw-------"));
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.write(StandardCharsets.UTF_8.encode(text));
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The file attribute that gives these permissions, where the file system knows them. */
  static FileAttribute<?>[] onlyOurs(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /** Deletes a directory and all below it; no error when it is gone already. */
  static void deleteRecursively(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(directory)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : deepestFirst) {
      Files.deleteIfExists(file);
    }
  }

  /**
   * PostgreSQL serves only files of the user that runs it. As root it runs in a user namespace of
   * its own, without power over the files of others, so that root, too, is refused here.
   */
  private void refuseForeignOwner() throws IOException {
    Path probe = Files.createTempFile(root, ".probe-", "");
    UserPrincipal us;
    boolean weAreRoot;
    try {
      us = Files.getOwner(probe);
      weAreRoot = isRoots(probe);
    } finally {
      Files.delete(probe);
    }
    // An ordinary user may well begin in a directory that root gave it by its group.
    UserPrincipal owner =
        isInitialised() ? Files.getOwner(pgdata()) : weAreRoot ? Files.getOwner(root) : us;
    if (!owner.equals(us)) {
      throw new StoreException(
          String.format(
              Locale.ROOT,
              "The data directory %s belongs to user %s, but Hooktally runs as user %s, and"
                  + " PostgreSQL serves only its own user's files. Run Hooktally as %s, or stop it and"
                  + " give the files away: chown -R %s %s",
              root,
              owner.getName(),
              us.getName(),
              owner.getName(),
              us.getName(),
              root));
    }
  }

  /** Who could tell more about a directory we may not use; empty when not even that can be seen. */
  private static String owner(Path directory) {
    try {
      return ", it belongs to user " + Files.getOwner(directory).getName();
    } catch (IOException e) {
      return "";
    }
  }

  private static String userName() {
    return System.getProperty("user.name", "?");
  }

  /** An I/O exception's message is often just a path. */
  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied (" + e.getMessage() + ")";
    }
    if (e instanceof NoSuchFileException) {
      return "no such file (" + e.getMessage() + ")";
    }
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
