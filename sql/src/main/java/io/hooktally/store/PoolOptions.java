package io.hooktally.store;

import java.time.Duration;
import java.time.ZoneId;

/**
 * How a pool of connections behaves.
 *
 * @param name what the pool is for: part of its threads', metrics' and sessions' names
 * @param size connections at most, all kept open
 * @param connectionTimeout how long a caller waits for a connection, at least 250 ms
 * @param socketTimeout how long one answer of the server may take before the connection is given
 *     up; rounded up to seconds, zero: no limit. It must exceed the longest query of the pool.
 * @param idleInTransaction how long a transaction may stand still between two statements before the
 *     server ends it: a process that is stopped must not keep its rows locked against others
 * @param mustConnect true: opening the pool fails when the server cannot be reached; false: it
 *     opens and its callers fail until the server is there
 * @param zone the sessions' time zone; UTC unless a test wants to find out what depends on it
 */
public record PoolOptions(
    String name,
    int size,
    Duration connectionTimeout,
    Duration socketTimeout,
    Duration idleInTransaction,
    boolean mustConnect,
    ZoneId zone) {
  /** By its name: PostgreSQL does not know "Z", the id of a mere offset of zero. */
  private static final ZoneId UTC = ZoneId.of("UTC");

  // No transaction is open while another system is asked: a minute is a process that stands still.
  private static final Duration IDLE_IN_TRANSACTION = Duration.ofMinutes(1);
  private static final Duration INBOX_SOCKET_TIMEOUT = Duration.ofSeconds(2);

  /** For short statements whose caller waits: a database that is gone shows within 3 seconds. */
  public static PoolOptions inbox(DatabaseConfig config) {
    return new PoolOptions(
        "inbox",
        config.poolSize(),
        config.connectionTimeout(),
        INBOX_SOCKET_TIMEOUT,
        IDLE_IN_TRANSACTION,
        true,
        UTC);
  }

  /** For work in the background, with statements of any length. */
  public static PoolOptions work(String name, int size) {
    return new PoolOptions(
        name, size, Duration.ofSeconds(5), Duration.ZERO, IDLE_IN_TRANSACTION, true, UTC);
  }

  /** These for a server that may be away when the pool is opened. */
  public PoolOptions mayBeAway() {
    return new PoolOptions(
        name, size, connectionTimeout, socketTimeout, idleInTransaction, false, zone);
  }

  /** These with sessions in that zone. */
  public PoolOptions withZone(ZoneId otherZone) {
    return new PoolOptions(
        name, size, connectionTimeout, socketTimeout, idleInTransaction, mustConnect, otherZone);
  }

  /** These with that many connections. */
  public PoolOptions withSize(int otherSize) {
    return new PoolOptions(
        name, otherSize, connectionTimeout, socketTimeout, idleInTransaction, mustConnect, zone);
  }

  /** These with another limit for one answer of the server. */
  public PoolOptions withSocketTimeout(Duration otherTimeout) {
    return new PoolOptions(
        name, size, connectionTimeout, otherTimeout, idleInTransaction, mustConnect, zone);
  }

  /** These with another limit for a transaction that stands still. */
  public PoolOptions withIdleInTransaction(Duration otherLimit) {
    return new PoolOptions(
        name, size, connectionTimeout, socketTimeout, otherLimit, mustConnect, zone);
  }
}
