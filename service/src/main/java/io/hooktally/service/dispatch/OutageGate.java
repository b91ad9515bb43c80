package io.hooktally.service.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether a consumer waits out an outage. While it does, nothing is handed over and no attempt is
 * counted; probes with growing gaps find out when it is over. Thread-safe.
 */
final class OutageGate {
  private static final Duration FIRST_GAP = Duration.ofSeconds(1);
  private static final Duration LONGEST_GAP = Duration.ofMinutes(1);
  // Shorter outages are everyday life and end by themselves.
  private static final Duration LASTING = Duration.ofMinutes(5);

  /**
   * An outage that goes on.
   *
   * @param since when it was noticed
   * @param reason what stopped the consumer, for people
   */
  record Outage(Instant since, String reason) {}

  private final Consumer<Outage> lasting;
  private @Nullable Outage outage;
  private boolean told;
  private Duration gap = FIRST_GAP;
  private Instant nextProbe = Instant.MIN;

  /**
   * A gate that is open.
   *
   * @param lasting is told once of every outage that has lasted five minutes
   */
  OutageGate(Consumer<Outage> lasting) {
    this.lasting = lasting;
  }

  /** The outage, if one goes on. */
  synchronized Optional<Outage> outage() {
    return Optional.ofNullable(outage);
  }

  /** Whether a probe is due now; there is none without an outage. */
  synchronized boolean probeDue(Instant now) {
    return outage != null && !now.isBefore(nextProbe);
  }

  /**
   * Notes a failure; answers whether an outage begins with it.
   *
   * @param retryAfter how long the other side wants to be left alone, if it said so
   */
  boolean close(Instant now, String reason, Optional<Duration> retryAfter) {
    Outage current;
    boolean tell;
    boolean begins;
    synchronized (this) {
      begins = outage == null;
      current = new Outage(outage == null ? now : outage.since(), reason);
      outage = current;
      if (begins || probeDue(now)) {
        Duration wait = retryAfter.filter(asked -> asked.compareTo(gap) > 0).orElse(gap);
        nextProbe = now.plus(wait);
        gap = gap.multipliedBy(2).compareTo(LONGEST_GAP) < 0 ? gap.multipliedBy(2) : LONGEST_GAP;
      }
      tell = !told && !now.isBefore(current.since().plus(LASTING));
      told |= tell;
    }
    if (tell) {
      lasting.accept(current);
    }
    return begins;
  }

  /** The outage is over; answers which one, if there was one. */
  synchronized Optional<Outage> open() {
    Optional<Outage> over = outage();
    outage = null;
    told = false;
    gap = FIRST_GAP;
    nextProbe = Instant.MIN;
    return over;
  }
}
