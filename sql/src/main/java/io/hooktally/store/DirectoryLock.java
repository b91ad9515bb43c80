package io.hooktally.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Ownership of a data directory: an operating system lock on a file, gone with the process that
 * holds it, however that ends. The file holds the process id, for messages only.
 */
final class DirectoryLock implements AutoCloseable {
  /**
   * The lock files that this process has open. Such a lock belongs to a process and is lost as soon
   * as the process closes any handle on the file, so the file must never be opened twice.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private DirectoryLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Takes the lock if nobody has it, neither another process nor this one. Does not wait. */
  static Optional<DirectoryLock> tryLock(Path file) throws IOException {
    if (!HELD_HERE.add(file)) {
      return Optional.empty();
    }
    @Nullable FileChannel channel = null;
    boolean locked = false;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        return Optional.empty();
      }
      channel.truncate(0);
      String pid = Long.toString(ProcessHandle.current().pid());
      channel.write(StandardCharsets.UTF_8.encode(pid));
      locked = true;
      return Optional.of(new DirectoryLock(file, channel));
    } finally {
      if (!locked) {
        if (channel != null) {
          channel.close();
        }
        HELD_HERE.remove(file);
      }
    }
  }

  /** Who holds it, for a message: a process id, or a question mark. */
  static String holder(Path file) {
    if (HELD_HERE.contains(file)) {
      return "this one, " + ProcessHandle.current().pid();
    }
    try {
      String pid = Files.readString(file).strip();
      return pid.isEmpty() ? "?" : pid;
    } catch (IOException e) {
      return "?";
    }
  }

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD_HERE.remove(file);
    }
  }
}
