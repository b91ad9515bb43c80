package io.hooktally.store.dispatch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.store.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * What people do about parked events of all consumers. Each is one transaction, with its entry in
 * the audit and its part in the counts. Thread-safe.
 */
public final class ParkedEvents {
  private final Jdbi jdbi;
  private final String instance;

  /**
   * In the database of {@code jdbi}.
   *
   * @param instance this process, for the totals
   */
  public ParkedEvents(Jdbi jdbi, String instance) {
    this.jdbi = jdbi;
    this.instance = instance;
  }

  /** Those with greater numbers than {@code afterId}, in the order of numbers. */
  public List<Parked> list(ParkedFilter filter, long afterId, int limit) {
    return jdbi.withHandle(handle -> ParkedRows.list(handle, filter, afterId, limit));
  }

  /** One of them. */
  public Optional<Parked> find(long id) {
    return list(ParkedFilter.of(id), 0, 1).stream().findFirst();
  }

  /**
   * Lets them be handed over again, from the first attempt on and under their old numbers: of a key
   * that they hold, they go first and what is held follows in order. What could not be read is read
   * again by the configuration of today.
   *
   * @return how many
   */
  public int retry(ParkedFilter filter, String who) {
    return jdbi.inTransaction(
        handle -> {
          int retried = ParkedRows.retry(handle, filter);
          if (retried > 0) {
            ObjectNode detail = words(filter).put("events", retried);
            AuditRows.add(handle, who, "retry", subject(filter), detail);
          }
          return retried;
        });
  }

  /**
   * Gives them up for good; the audit keeps what each was. What they held flows on.
   *
   * @return how many
   */
  public long discard(ParkedFilter filter, String who, String reason) {
    return jdbi.inTransaction(
        handle -> {
          Map<ConsumerRef, Long> discarded = ParkedRows.discard(handle, filter, who, reason);
          DispatchCounts.discarded(handle, instance, discarded);
          return discarded.values().stream().mapToLong(Long::longValue).sum();
        });
  }

  private static String subject(ParkedFilter filter) {
    List<Long> ids = filter.ids();
    return ids != null && ids.size() == 1 ? "parked " + ids.get(0) : "parked events";
  }

  private static ObjectNode words(ParkedFilter filter) {
    ObjectNode words = Json.mapper().createObjectNode();
    List<Long> ids = filter.ids();
    if (ids != null) {
      ids.forEach(words.putArray("id")::add);
    }
    put(words, "source", filter.source());
    put(words, "consumer", filter.consumer());
    put(words, "kind", filter.kindText().orElse(null));
    put(words, "key", filter.key());
    put(words, "topic", filter.topicPattern());
    put(words, "event", filter.eventId());
    put(words, "error", filter.error());
    return words;
  }

  private static void put(ObjectNode words, String name, @Nullable String value) {
    if (value != null) {
      words.put(name, value);
    }
  }
}
