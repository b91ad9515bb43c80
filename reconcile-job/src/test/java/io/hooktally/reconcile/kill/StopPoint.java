package io.hooktally.reconcile.kill;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Makes whoever writes such a row stand still in the middle of the transaction: before the {@code
 * nth} row that fulfils the condition. One at a time.
 */
final class StopPoint implements AutoCloseable {
  private static final long LOCK = 4711;

  private final Jdbi jdbi;
  private final Handle holder;
  private final String table;

  StopPoint(Jdbi jdbi, String table, String condition, int nth) {
    this.jdbi = jdbi;
    this.table = table;
    this.holder = jdbi.open();
    holder.execute("select pg_advisory_lock(?)", LOCK);
    jdbi.useHandle(
        handle -> {
          handle.execute("create sequence stop_at");
          handle.execute(
              """
              create function stop_here() returns trigger language plpgsql as $$
              begin
                if nextval('stop_at') = %d then
                  perform pg_advisory_xact_lock(%d);
                end if;
                return new;
              end $$
              """
                  .formatted(nth, LOCK));
          handle.execute(
              """
              create trigger stop_here before insert or update on %s
              for each row when (%s) execute function stop_here()
              """
                  .formatted(table, condition));
        });
  }

  /** Waits until somebody stands there. */
  void awaitSomebody() {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                jdbi.withHandle(
                    handle ->
                        handle
                            .createQuery(
                                """
                                select exists (select from pg_locks
                                    where locktype = 'advisory' and objid = :lock and not granted
                                      and database = (select oid from pg_database
                                          where datname = current_database()))
                                """)
                            .bind("lock", LOCK)
                            .mapTo(Boolean.class)
                            .one()));
  }

  /** Lets whoever stands there go on; nobody stops any more. */
  @Override
  public void close() {
    holder.execute("select pg_advisory_unlock(?)", LOCK);
    holder.close();
    jdbi.useHandle(
        handle -> {
          handle.execute("drop trigger stop_here on " + table);
          handle.execute("drop function stop_here");
          handle.execute("drop sequence stop_at");
        });
  }
}
