package io.hooktally.service.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.service.EventActions;
import io.hooktally.store.dispatch.AuditEntry;
import io.hooktally.store.dispatch.ConsumerState;
import io.hooktally.store.dispatch.Parked;
import io.hooktally.store.dispatch.Replayed;
import io.hooktally.store.inbox.Payload;
import org.jspecify.annotations.Nullable;

/** Events, consumers and the audit as the API, the tasks and the commands show them. */
public final class EventsJson {
  private EventsJson() {}

  /** A parked event without what came with it. */
  public static ObjectNode of(Parked event) {
    return object()
        .put("id", event.id())
        .put("consumer", event.consumer().name())
        .put("source", event.consumer().source())
        .put("kind", event.kind().text())
        .put("event", event.eventId())
        .put("key", event.key())
        .put("topic", event.topic())
        .put("lane", event.lane().text())
        .put("error", event.error())
        .put("attempts", event.attempts())
        .put("receivedAt", event.receivedAt().toString())
        .put("parkedAt", event.parkedAt().toString())
        .put("replay", event.replayId())
        .put("conflict", event.conflictId());
  }

  /** A parked event, whole. */
  public static ObjectNode of(EventActions.Whole whole) {
    ObjectNode json = of(whole.event());
    json.set("payload", payload(whole.payload()));
    if (whole.conflict() != null) {
      json.set("conflictPayload", payload(whole.conflict().payload()));
    }
    return json;
  }

  /** How a consumer stands. */
  public static ObjectNode of(ConsumerState state) {
    ObjectNode json =
        object()
            .put("name", state.consumer().name())
            .put("source", state.consumer().source())
            .put("holdKey", state.holdKey())
            .put("pending", state.pending())
            .put("held", state.held())
            .put("parked", state.parked())
            .put(
                "oldestPendingSeconds",
                state.oldest() == null ? null : Long.valueOf(state.oldest().toSeconds()))
            .put("paused", state.pause() != null);
    ConsumerState.Pause pause = state.pause();
    if (pause != null) {
      json.put("pausedAt", pause.since().toString())
          .put("pausedBy", pause.by())
          .put("pauseReason", pause.reason());
    }
    return json;
  }

  /** What became of a replay. */
  public static ObjectNode of(Replayed replayed) {
    return object()
        .put("replay", replayed.id())
        .put("events", replayed.events())
        .put("rows", replayed.rows())
        .put("lost", replayed.lost());
  }

  /** What a person did. */
  public static ObjectNode of(AuditEntry entry) {
    ObjectNode json =
        object()
            .put("id", entry.id())
            .put("at", entry.at().toString())
            .put("who", entry.who())
            .put("action", entry.action())
            .put("subject", entry.subject());
    json.set("detail", entry.detail());
    return json;
  }

  private static @Nullable ObjectNode payload(@Nullable Payload payload) {
    return payload == null ? null : Payloads.json(payload);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
