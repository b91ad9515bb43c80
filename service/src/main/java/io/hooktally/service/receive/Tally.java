package io.hooktally.service.receive;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Timer;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts the deliveries to one source. Under one lock, so that every reading is of one moment:
 * counters read one after another never add up under load. Thread-safe.
 */
final class Tally {
  private final Timer answers = new Timer();
  private final Counter bytes = new Counter();
  private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
  private long delivered;
  private long ended;

  /** How long deliveries take, from their head to their answer. */
  Timer answers() {
    return answers;
  }

  /** Bytes of bodies that came whole. */
  Counter bytes() {
    return bytes;
  }

  synchronized void begin() {
    delivered++;
  }

  synchronized void decide(Outcome outcome) {
    outcomes.merge(outcome, 1L, Long::sum);
  }

  /** The exchange is over, whatever was decided. */
  synchronized void end() {
    ended++;
  }

  synchronized Counts counts() {
    return new Counts(delivered, delivered - ended, Map.copyOf(outcomes));
  }
}
