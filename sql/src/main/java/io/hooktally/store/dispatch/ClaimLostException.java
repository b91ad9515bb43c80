package io.hooktally.store.dispatch;

import io.hooktally.store.StoreException;

/** Another instance claimed the row meanwhile: this one may write nothing of it any more. */
public class ClaimLostException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** For the row whose claim was lost. */
  public ClaimLostException(Claimed claimed) {
    super(
        "the claim on event %s was taken over: it is handed over elsewhere"
            .formatted(claimed.eventId()));
  }
}
