package io.hooktally.store.dispatch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.store.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Hands stored events over again, under their own ids and in lane {@code replay}. A replay is one
 * transaction with its counts and its entry in the audit. Thread-safe.
 */
public final class Replays {
  // Ids that are written at once.
  private static final int CHUNK = 1000;

  private final Jdbi jdbi;
  private final String instance;

  /**
   * In the database of {@code jdbi}, whose connections must allow for long statements.
   *
   * @param instance this process, for the totals
   */
  public Replays(Jdbi jdbi, String instance) {
    this.jdbi = jdbi;
    this.instance = instance;
  }

  /**
   * Replays a span.
   *
   * @param test looks into each event; null: the span says it all
   * @param words what the person asked for, for the audit
   */
  public Replayed replay(
      ReplaySpan span, ReplaySpan.@Nullable Test test, String who, Map<String, String> words) {
    return jdbi.inTransaction(
        handle -> {
          long id = ReplayRows.number(handle);
          Map<ConsumerRef, Long> rows = new HashMap<>();
          long events =
              test == null
                  ? ReplayRows.addAll(handle, id, span, rows)
                  : addTested(handle, id, span, test, rows);
          long lost = ReplayRows.lost(handle, span, test != null);
          // Last: live deliveries count in the same rows, and wait for whoever has them locked.
          long dispatched = rows.values().stream().mapToLong(Long::longValue).sum();
          Replayed replayed = new Replayed(id, events, dispatched, lost);
          record(handle, replayed, who, words);
          DispatchCounts.dispatched(handle, instance, rows);
          return replayed;
        });
  }

  private static long addTested(
      Handle handle, long id, ReplaySpan span, ReplaySpan.Test test, Map<ConsumerRef, Long> rows) {
    List<String> chosen = new ArrayList<>();
    long events = 0;
    try (var candidates = ReplayRows.candidates(handle, span)) {
      while (candidates.hasNext()) {
        ReplayRows.Candidate candidate = candidates.next();
        if (test.test(candidate.topic(), candidate.body())) {
          chosen.add(candidate.eventId());
        }
        if (chosen.size() == CHUNK) {
          events += ReplayRows.add(handle, id, span, chosen, rows);
          chosen.clear();
        }
      }
    }
    return chosen.isEmpty() ? events : events + ReplayRows.add(handle, id, span, chosen, rows);
  }

  private static void record(
      Handle handle, Replayed replayed, String who, Map<String, String> words) {
    ObjectNode detail = Json.mapper().createObjectNode();
    words.forEach(detail::put);
    detail
        .put("events", replayed.events())
        .put("rows", replayed.rows())
        .put("lost", replayed.lost());
    AuditRows.add(handle, who, "replay", "replay " + replayed.id(), detail);
  }
}
