package io.hooktally.service;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.service.admin.ActionTask;
import io.hooktally.service.api.EventsJson;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The tasks that act on events and consumers, by their names under {@code /tasks}. */
final class EventTasks {
  private final EventActions actions;

  EventTasks(EventActions actions) {
    this.actions = actions;
  }

  Map<String, ActionTask> all() {
    List<String> consumer = List.of("source", "consumer", "reason", "who");
    return Map.of(
        "parked-retry", new ActionTask(and(EventWords.FILTER, "all", "who"), this::retry),
        "parked-discard",
            new ActionTask(and(EventWords.FILTER, "all", "reason", "who"), this::discard),
        "consumer-pause", new ActionTask(consumer, this::pause),
        "consumer-resume", new ActionTask(List.of("source", "consumer", "who"), this::resume),
        "replay", new ActionTask(and(EventActions.REPLAY, "who"), this::replay));
  }

  private ObjectNode retry(HttpServletRequest request) {
    return answer().put("retried", actions.retry(words(request), who(request)));
  }

  private ObjectNode discard(HttpServletRequest request) {
    return answer().put("discarded", actions.discard(words(request), who(request)));
  }

  private ObjectNode pause(HttpServletRequest request) {
    return answer().put("paused", actions.pause(words(request), who(request)).toString());
  }

  private ObjectNode resume(HttpServletRequest request) {
    return answer().put("resumed", actions.resume(words(request), who(request)).toString());
  }

  private ObjectNode replay(HttpServletRequest request) {
    return EventsJson.of(actions.replay(words(request), who(request)));
  }

  private EventWords words(HttpServletRequest request) {
    return actions.words(request::getParameter);
  }

  private String who(HttpServletRequest request) {
    return Objects.requireNonNullElse(words(request).text("who"), "the admin port");
  }

  private static List<String> and(List<String> words, String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(more));
    return all;
  }

  private static ObjectNode answer() {
    return JsonNodeFactory.instance.objectNode();
  }
}
