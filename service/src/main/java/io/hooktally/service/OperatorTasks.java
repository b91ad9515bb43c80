package io.hooktally.service;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.service.admin.ActionTask;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;

/** The tasks that act on runs and what they found, by their names under {@code /tasks}. */
final class OperatorTasks {
  private final RunActions actions;
  private final Executor executor;

  OperatorTasks(RunActions actions, Executor executor) {
    this.actions = actions;
    this.executor = executor;
  }

  Map<String, ActionTask> all() {
    return Map.of(
        "cancel", new ActionTask(List.of("run", "who"), this::cancel),
        "resume", new ActionTask(List.of("run"), this::resume),
        "accept", new ActionTask(List.of("source", "entity", "id", "reason", "who"), this::accept),
        "approve", new ActionTask(List.of("run", "id", "who"), this::approve),
        "watermark", new ActionTask(List.of("source", "entity", "at", "who"), this::watermark));
  }

  private ObjectNode cancel(HttpServletRequest request) {
    actions.cancel(request.getParameter("run"), who(request));
    return answer().put("cancelled", true);
  }

  private ObjectNode resume(HttpServletRequest request) {
    return answer().put("run", actions.resume(request.getParameter("run"), executor));
  }

  private ObjectNode accept(HttpServletRequest request) {
    actions.accept(
        request.getParameter("source"),
        request.getParameter("entity"),
        request.getParameter("id"),
        request.getParameter("reason"),
        who(request));
    return answer().put("accepted", 1);
  }

  private ObjectNode approve(HttpServletRequest request) {
    return answer()
        .put(
            "approved",
            actions.approve(request.getParameter("run"), request.getParameter("id"), who(request)));
  }

  private ObjectNode watermark(HttpServletRequest request) {
    return answer()
        .put(
            "was",
            actions
                .setWatermark(
                    request.getParameter("source"),
                    request.getParameter("entity"),
                    request.getParameter("at"),
                    who(request))
                .map(Object::toString)
                .orElse(null));
  }

  private static String who(HttpServletRequest request) {
    return Objects.requireNonNullElse(request.getParameter("who"), "the admin port");
  }

  private static ObjectNode answer() {
    return JsonNodeFactory.instance.objectNode();
  }
}
