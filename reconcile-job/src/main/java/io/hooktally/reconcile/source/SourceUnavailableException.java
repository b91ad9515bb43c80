package io.hooktally.reconcile.source;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The source is away, or does not let us in, for now: nobody's fault but an outage's. */
public final class SourceUnavailableException extends SourceException {
  @Serial private static final long serialVersionUID = 1L;

  /** What kind of outage. */
  public enum Kind {
    /** No connection, or it broke. */
    UNREACHABLE,
    /** Too slow, on our clock or by status 408. */
    TIMEOUT,
    /** 401 or 403. */
    DENIED,
    /** 429. */
    THROTTLED,
    /** 5xx. */
    SERVER_ERROR,
    /** It has been away for so long that it is not asked, until a trial finds it back. */
    OPEN_CIRCUIT,
    /** We have no credentials for it. */
    NOT_CONFIGURED,
    /** This thread was interrupted while it waited; its interrupt flag is set again. */
    INTERRUPTED
  }

  private final Kind kind;
  private final @Nullable Duration retryAfter;

  SourceUnavailableException(
      Kind kind,
      String message,
      int status,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    super(message, status, cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  /** What kind of outage. */
  public Kind kind() {
    return kind;
  }

  /** How long the source wants to be left alone, where it said so; never negative. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
