package io.hooktally.reconcile.fix;

import io.hooktally.store.inbox.Trouble;
import io.hooktally.store.inbox.Troubles;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the receiver has recorded of spans in which deliveries were refused or nobody was there. */
final class DeliveryTroubles {
  private static final int MOST = 3;

  private final Troubles troubles;

  DeliveryTroubles(Troubles troubles) {
    this.troubles = troubles;
  }

  /**
   * What was wrong with deliveries of a source in a span of the database's time, as half a sentence
   * for people; nothing where none is recorded.
   */
  Optional<String> during(String source, Instant from, Instant to) {
    List<Trouble> found = troubles.list(source, from, to, MOST);
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(found.stream().map(DeliveryTroubles::text).collect(Collectors.joining("; ")));
  }

  private static String text(Trouble one) {
    String span = " from " + seconds(one.beganAt()) + " to " + seconds(one.endedAt());
    return one.outcome().equals(Troubles.AWAY)
        ? "no instance was there to take deliveries," + span
        : "deliveries ended as " + one.outcome() + " (" + one.deliveries() + ")," + span;
  }

  private static String seconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
