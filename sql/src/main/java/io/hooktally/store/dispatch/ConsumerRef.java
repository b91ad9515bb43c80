package io.hooktally.store.dispatch;

import java.util.Comparator;

/**
 * One consumer of one source's events.
 *
 * @param name the consumer's name; {@code replica} is the built-in one
 * @param source the source whose events it receives
 */
public record ConsumerRef(String name, String source) {
  /** The name of the built-in consumer, the replica. */
  public static final String REPLICA = "replica";

  /** The order in which rows of several consumers are written, as the inbox has it. */
  static final Comparator<ConsumerRef> ORDER =
      Comparator.comparing(ConsumerRef::name).thenComparing(ConsumerRef::source);

  /** The replica as the consumer of {@code source}. */
  public static ConsumerRef replica(String source) {
    return new ConsumerRef(REPLICA, source);
  }

  @Override
  public String toString() {
    return name + " of " + source;
  }
}
