package io.hooktally.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a running PostgreSQL says about itself in {@code postmaster.pid}. The file outlives a server
 * that was killed, so its word is checked before it is believed.
 *
 * @param pid process id of the postmaster
 * @param port TCP port it listens on; 0 while it has not got that far
 * @param ready it takes connections: neither recovers from a crash nor shuts down
 */
record PostmasterPid(long pid, int port, boolean ready) {
  private static final String FILE = "postmaster.pid";
  private static final int PID_LINE = 0;
  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;

  /** Reads it; empty when there is none, or none that makes sense (it may be half written). */
  static Optional<PostmasterPid> read(Path pgdata) {
    try {
      List<String> lines = Files.readAllLines(pgdata.resolve(FILE));
      if (lines.size() <= PID_LINE) {
        return Optional.empty();
      }
      int port = lines.size() > PORT_LINE ? Integer.parseInt(lines.get(PORT_LINE).strip()) : 0;
      boolean ready = lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
      // A stand-alone backend (initdb, single-user mode) writes its pid negated.
      long pid = Math.abs(Long.parseLong(lines.get(PID_LINE).strip()));
      return Optional.of(new PostmasterPid(pid, port, ready));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Removes the file. Only for one that no process of this data directory stands behind. */
  static void delete(Path pgdata) throws IOException {
    Files.deleteIfExists(pgdata.resolve(FILE));
  }
}
