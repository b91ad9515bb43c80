package io.hooktally.reconcile.fix;

import io.hooktally.store.replica.CanonicalJson;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Loss;
import io.hooktally.store.run.LossCause;
import io.hooktally.store.run.LossFact;
import io.hooktally.store.run.Reading;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the change behind a confirmed disagreement was lost, from what is recorded. It says
 * what is known and no more. Thread-safe as far as its {@link DeliveryTroubles} are.
 */
final class HowLost {
  // Clocks are told apart to the second of a Date header.
  private static final Duration SLACK = Duration.ofSeconds(5);
  private static final Duration NEAR = Duration.ofHours(1);
  private static final Set<Kind> SAME_TIME = EnumSet.of(Kind.DIFFERENT, Kind.AHEAD, Kind.EXTRA);

  private final String source;
  private final Duration sourceAhead;
  private final DeliveryTroubles troubles;

  /**
   * For one batch of a run.
   *
   * @param sourceAhead how far the source's clock is ahead of the database's
   */
  HowLost(String source, Duration sourceAhead, DeliveryTroubles troubles) {
    this.source = source;
    this.sourceAhead = sourceAhead;
    this.troubles = troubles;
  }

  /** Null where nothing was lost: the source itself went back, or served bogus times. */
  @Nullable Loss of(Kind kind, Reading reading, @Nullable Entity ours, @Nullable LossFact fact) {
    Loss here = ours != null && changedHere(ours) ? changed(ours) : null;
    if (kind == Kind.AHEAD) {
      return here;
    }
    Instant change = changeTime(reading);
    LossFact.Waiting waiting = fact == null ? null : fact.waiting();
    LossFact.Parked parked = fact == null ? null : fact.parked();
    if (here != null && SAME_TIME.contains(kind)) {
      return here;
    } else if (waiting != null && parked != null) {
      return held(waiting, parked);
    } else if (waiting != null) {
      return pending(waiting);
    } else if (parked != null && !isBefore(parked.receivedAt(), change)) {
      return parked(parked);
    }
    LossFact.Last last = fact == null ? null : fact.last();
    if (kind == Kind.STALE && last != null && change != null && last.receivedAt().isAfter(change)) {
      return appliedOlder(last);
    }
    return noDelivery(kind, change, ours, last);
  }

  // The source's time of the change, by the database's clock; null where the source told none.
  private @Nullable Instant changeTime(Reading reading) {
    Instant modified = reading.modified();
    return modified == null ? null : modified.minus(sourceAhead);
  }

  private static boolean isBefore(Instant received, @Nullable Instant change) {
    return change != null && received.isBefore(change.minus(SLACK));
  }

  // What is stored no longer is what was applied. An altered body never has the original's hash.
  private static boolean changedHere(Entity ours) {
    return !ours.altered()
        && !ours.deleted()
        && ours.body() != null
        && ours.bodyHash() != null
        && !ours.bodyHash().equals(CanonicalJson.hash(ours.body()));
  }

  private static Loss changed(Entity ours) {
    return new Loss(
        LossCause.CHANGED_HERE,
        "Applied at "
            + seconds(ours.changedAt())
            + " and changed in our database later, past Hooktally: the stored body no longer has"
            + " the hash it was stored with.");
  }

  private static Loss held(LossFact.Waiting waiting, LossFact.Parked parked) {
    return new Loss(
        LossCause.HELD,
        "Event "
            + waiting.eventId()
            + " came at "
            + seconds(waiting.receivedAt())
            + " and waits behind event "
            + parked.eventId()
            + ", which is parked ("
            + why(parked)
            + ").");
  }

  private static Loss pending(LossFact.Waiting waiting) {
    return new Loss(
        LossCause.PENDING,
        "Event "
            + waiting.eventId()
            + " came at "
            + seconds(waiting.receivedAt())
            + " and is not handled yet"
            + (waiting.attempts() == 0 ? "." : ", after " + waiting.attempts() + " attempts."));
  }

  private static Loss parked(LossFact.Parked parked) {
    return new Loss(
        LossCause.PARKED,
        "Event "
            + parked.eventId()
            + " came at "
            + seconds(parked.receivedAt())
            + " and is parked ("
            + why(parked)
            + ").");
  }

  // The class of the error only: what follows may quote more than a report should.
  private static String why(LossFact.Parked parked) {
    String error = parked.error();
    int colon = error.indexOf(':');
    String first = colon < 0 ? error : error.substring(0, colon);
    return parked.kind() + ": " + (first.length() <= 100 ? first : first.substring(0, 100) + "…");
  }

  private static Loss appliedOlder(LossFact.Last last) {
    return new Loss(
        LossCause.APPLIED_OLDER,
        named(last)
            + " came at "
            + seconds(last.receivedAt())
            + ", after the change, but what was applied with it was an older state.");
  }

  private Loss noDelivery(
      Kind kind, @Nullable Instant change, @Nullable Entity ours, LossFact.@Nullable Last last) {
    StringBuilder note =
        new StringBuilder(
            switch (kind) {
              case MISSING ->
                  ours == null
                      ? "No delivery of it is known: the replica never had it, or lost its row."
                      : "No delivery of its return is known: the replica holds it as deleted.";
              case EXTRA -> "No delivery of its deletion is known.";
              case DIFFERENT ->
                  "The content changed and the modified time did not: no delivery of it is known.";
              default -> "No delivery of this change is known.";
            });
    if (last != null) {
      note.append(" The last event that touched the row: ")
          .append(named(last))
          .append(", received at ")
          .append(seconds(last.receivedAt()))
          .append('.');
    } else if (ours != null) {
      note.append(" No event ever touched the row as it is; it came by a read in lane ")
          .append(ours.lane().text())
          .append(" at ")
          .append(seconds(ours.changedAt()))
          .append('.');
    }
    if (change != null) {
      troubles
          .during(source, change.minus(SLACK), change.plus(NEAR))
          .ifPresent(
              trouble -> note.append(" At the time of the change ").append(trouble).append('.'));
    }
    return new Loss(LossCause.NO_DELIVERY, note.toString());
  }

  private static String named(LossFact.Last last) {
    return last.topic() == null
        ? "event " + last.eventId()
        : "event " + last.eventId() + " (" + last.topic() + ")";
  }

  private static String seconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
