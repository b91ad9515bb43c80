package io.hooktally.store;

/** Somebody else took the lease meanwhile: nothing may be written under it any more. */
public class LeaseLostException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** For the lease that was lost. */
  public LeaseLostException(Lease lease) {
    super(
        "lease %s (fence %d) of %s was taken over: this work stops and writes nothing more"
            .formatted(lease.name(), lease.fence(), lease.holder()));
  }
}
