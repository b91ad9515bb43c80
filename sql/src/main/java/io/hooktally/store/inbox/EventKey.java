package io.hooktally.store.inbox;

import java.util.Comparator;

/**
 * What identifies an event.
 *
 * @param source the source's name
 * @param eventId the source's id of the event
 */
public record EventKey(String source, String eventId) implements Comparable<EventKey> {

  // One order for every instance: batches that lock rows in it cannot lock each other out.
  private static final Comparator<EventKey> ORDER =
      Comparator.comparing(EventKey::source).thenComparing(EventKey::eventId);

  @Override
  public int compareTo(EventKey other) {
    return ORDER.compare(this, other);
  }
}
