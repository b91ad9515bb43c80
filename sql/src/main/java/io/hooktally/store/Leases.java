package io.hooktally.store;

import java.time.Duration;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Leases with fencing numbers. Expiry is by the database's clock, so that instances need not agree
 * on the time; expiry only says when another may take over. What makes a lease safe is its number:
 * {@link #check} inside the transaction that writes. Thread-safe.
 */
public final class Leases {
  private final Jdbi jdbi;

  /** Leases in the database of {@code jdbi}. */
  public Leases(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Takes the lease if nobody holds it.
   *
   * @return empty while somebody else's lease has not expired
   */
  public Optional<Lease> acquire(String name, String holder, Duration length) {
    return jdbi.inTransaction(
        handle ->
            handle
                .createQuery(
                    """
                    insert into lease as held (name, holder, fence, expires_at)
                    values (:name, :holder, 1, clock_timestamp() + :millis * interval '1 ms')
                    on conflict (name) do update
                      set holder = excluded.holder,
                          fence = held.fence + 1,
                          expires_at = excluded.expires_at,
                          wanted_until = null
                      where held.expires_at <= clock_timestamp()
                    returning fence
                    """)
                .bind("name", name)
                .bind("holder", holder)
                .bind("millis", length.toMillis())
                .mapTo(Long.class)
                .findOne()
                .map(fence -> new Lease(name, holder, fence)));
  }

  /**
   * Extends a lease from now on, also one that expired and was not taken.
   *
   * @return false when it was taken over
   */
  public boolean renew(Lease lease, Duration length) {
    return jdbi.inTransaction(
        handle ->
            handle
                    .createUpdate(
                        """
                        update lease set expires_at = clock_timestamp() + :millis * interval '1 ms'
                        where name = :name and fence = :fence
                        """)
                    .bind("name", lease.name())
                    .bind("fence", lease.fence())
                    .bind("millis", length.toMillis())
                    .execute()
                == 1);
  }

  /** Gives the lease back; a lease that was lost is left alone. The number stays used. */
  public void release(Lease lease) {
    jdbi.useTransaction(
        handle ->
            handle
                .createUpdate(
                    """
                    update lease set expires_at = '-infinity'
                    where name = :name and fence = :fence
                    """)
                .bind("name", lease.name())
                .bind("fence", lease.fence())
                .execute());
  }

  /**
   * Proves, inside the caller's transaction, that the lease has not been taken over, and keeps it
   * so until the transaction ends (the row is locked in share mode: an acquisition waits).
   *
   * @throws LeaseLostException when it was taken over; the caller's transaction must roll back
   */
  public void check(Handle handle, Lease lease) {
    boolean held =
        handle
            .createQuery("select true from lease where name = :name and fence = :fence for share")
            .bind("name", lease.name())
            .bind("fence", lease.fence())
            .mapTo(Boolean.class)
            .findOne()
            .isPresent();
    if (!held) {
      throw new LeaseLostException(lease);
    }
  }

  /**
   * Somebody waits for a lease that another holds, and will say so again before so long is over.
   */
  public void want(String name, Duration length) {
    jdbi.useHandle(
        handle ->
            handle
                .createUpdate(
                    """
                    update lease set wanted_until = clock_timestamp() + :millis * interval '1 ms'
                    where name = :name and expires_at > clock_timestamp()
                    """)
                .bind("name", name)
                .bind("millis", length.toMillis())
                .execute());
  }

  /** Whether somebody waits for the lease. */
  public boolean isWanted(String name) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select exists (select from lease
                        where name = :name and wanted_until > clock_timestamp())
                    """)
                .bind("name", name)
                .mapTo(Boolean.class)
                .one());
  }

  /** Who holds the lease now, if anybody. */
  public Optional<Lease> holder(String name) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select name, holder, fence from lease
                    where name = :name and expires_at > clock_timestamp()
                    """)
                .bind("name", name)
                .map(
                    (row, context) ->
                        new Lease(
                            row.getString("name"), row.getString("holder"), row.getLong("fence")))
                .findOne());
  }
}
