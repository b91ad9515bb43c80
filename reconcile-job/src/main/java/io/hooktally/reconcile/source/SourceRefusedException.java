package io.hooktally.reconcile.source;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The source answered, and the answer cannot be used: another 4xx, a redirect, a body that is not
 * what was asked for. Asking again the same way would end the same way.
 */
public sealed class SourceRefusedException extends SourceException
    permits IncompleteListingException {
  @Serial private static final long serialVersionUID = 1L;

  SourceRefusedException(String message, int status, @Nullable Throwable cause) {
    super(message, status, cause);
  }

  SourceRefusedException(String message, int status) {
    this(message, status, null);
  }
}
