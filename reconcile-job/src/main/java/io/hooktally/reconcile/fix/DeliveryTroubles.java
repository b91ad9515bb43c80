package io.hooktally.reconcile.fix;

import java.time.Instant;
import java.util.Optional;

/** What is recorded of spans in which deliveries were refused or the receiver was away. */
@FunctionalInterface
interface DeliveryTroubles {
  /**
   * What was wrong with deliveries of a source in a span of the database's time, as half a sentence
   * for people ("12 deliveries were refused between ... and ..."); nothing where none is recorded.
   */
  Optional<String> during(String source, Instant from, Instant to);
}
