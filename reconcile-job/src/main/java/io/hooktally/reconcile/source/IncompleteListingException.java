package io.hooktally.reconcile.source;

import java.io.Serial;

/** A listing that is not proven complete. Nothing may be concluded from it. */
public final class IncompleteListingException extends SourceRefusedException {
  @Serial private static final long serialVersionUID = 1L;

  IncompleteListingException(String message) {
    super(message, 200);
  }
}
