package io.hooktally.store.inbox;

import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * The heartbeat table. Instances say in it that they are there; the first to do so after nobody did
 * for a while records the span in between as {@link Troubles#AWAY}: nothing can have been accepted
 * then. Thread-safe.
 */
public final class Heartbeats {
  /** Every instance beats that often. */
  public static final Duration INTERVAL = Duration.ofSeconds(5);

  private static final Duration AWAY_AFTER = Duration.ofSeconds(20);
  private static final Duration KEPT = Duration.ofDays(30);

  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Heartbeats(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** This instance is there. */
  public void beat(String instance) {
    jdbi.useTransaction(
        handle -> {
          // Of two that come back at once, one records that nobody was there.
          handle.execute("select pg_advisory_xact_lock(hashtext('hooktally.heartbeat'))");
          recordAway(handle, instance);
          handle
              .createUpdate(
                  """
                  insert into heartbeat (instance, started_at, beat_at)
                  values (:instance, clock_timestamp(), clock_timestamp())
                  on conflict (instance) do update set beat_at = excluded.beat_at
                  """)
              .bind("instance", instance)
              .execute();
          handle
              .createUpdate("delete from heartbeat where beat_at < clock_timestamp() - :kept")
              .bind("kept", KEPT)
              .execute();
        });
  }

  private static void recordAway(Handle handle, String instance) {
    handle
        .createUpdate(
            """
            insert into trouble (source, outcome, instance, began_at, ended_at, deliveries)
            select '', :away, :instance, last.at, clock_timestamp(), 0
            from (select max(beat_at) as at from heartbeat) as last
            where last.at < clock_timestamp() - :after
            """)
        .bind("away", Troubles.AWAY)
        .bind("instance", instance)
        .bind("after", AWAY_AFTER)
        .execute();
  }
}
