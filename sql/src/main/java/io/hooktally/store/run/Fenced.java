package io.hooktally.store.run;

import io.hooktally.store.Lease;
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
}
