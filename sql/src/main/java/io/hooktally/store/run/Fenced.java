package io.hooktally.store.run;

import io.hooktally.store.Lease;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Transactions that only the holder of a lease can commit. Thread-safe. */
public final class Fenced {
  private final Jdbi jdbi;
  private final Leases leases;

  /** In the database of {@code jdbi}. */
  public Fenced(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.leases = new Leases(jdbi);
  }

  /**
   * Runs the work in one transaction, after proving that the lease has not been taken over.
   *
   * @throws io.hooktally.store.LeaseLostException when it was; then nothing was written
   */
  public <T extends @Nullable Object> T write(Lease lease, Function<Handle, T> work) {
    return jdbi.inTransaction(
        handle -> {
          leases.check(handle, lease);
          return work.apply(handle);
        });
  }

  /**
   * The same for a run in slices that waits without its lease: nobody else writes its row while it
   * does.
   *
   * @param last the lease it had last
   * @throws LeaseLostException when it was ended or taken up by somebody else
   */
  public <T extends @Nullable Object> T writeWaiting(
      Lease last, long runId, Function<Handle, T> work) {
    return jdbi.inTransaction(
        handle -> {
          boolean waits =
              handle
                  .createQuery(
                      """
                      select true from reconcile_run
                      where id = :id and state = 'running' and fence = :fence
                        and waits_until is not null
                      for update
                      """)
                  .bind("id", runId)
                  .bind("fence", last.fence())
                  .mapTo(Boolean.class)
                  .findOne()
                  .isPresent();
          if (!waits) {
            throw new LeaseLostException(last);
          }
          return work.apply(handle);
        });
  }
}
