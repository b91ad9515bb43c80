package io.hooktally.service.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.service.EventActions;
import io.hooktally.service.EventWords;
import io.hooktally.service.admin.Problems;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Parked events, consumers and what people did: {@code GET /api/parked}, {@code /api/parked/{id}},
 * {@code /api/consumers} and {@code /api/audit}.
 */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class EventsResource {
  private static final int MOST = 1000;

  private final EventActions actions;

  /** Over one database. */
  public EventsResource(EventActions actions) {
    this.actions = actions;
  }

  /** Parked events, chosen by the words of {@link EventWords#FILTER}; {@code after} reads on. */
  @GET
  @Path("parked")
  public Response parked(@Context UriInfo uri) {
    List<String> words = new ArrayList<>(EventWords.FILTER);
    words.addAll(List.of("after", "limit"));
    return answer(
        () -> {
          ObjectNode answer = object();
          ArrayNode items = answer.putArray("parked");
          actions.parked(words(uri, words), MOST).forEach(event -> items.add(EventsJson.of(event)));
          return answer;
        });
  }

  /** One parked event, whole: what came with it in base64, and as text where it is UTF-8. */
  @GET
  @Path("parked/{id}")
  public Response one(@PathParam("id") String id) {
    if (!id.matches("\\d{1,18}")) {
      return problem(400, "A parked event's id is a number, such as 42.");
    }
    return actions
        .show(Long.parseLong(id))
        .map(whole -> Response.ok(EventsJson.of(whole).toString()).build())
        .orElseGet(
            () -> problem(404, "There is no parked event " + id + "; GET /api/parked lists them."));
  }

  /** How consumers stand. */
  @GET
  @Path("consumers")
  public Response consumers() {
    ObjectNode answer = object();
    ArrayNode items = answer.putArray("consumers");
    actions.consumers().forEach(state -> items.add(EventsJson.of(state)));
    return Response.ok(answer.toString()).build();
  }

  /** What people did, the newest first; {@code before} reads on. */
  @GET
  @Path("audit")
  public Response audit(@Context UriInfo uri) {
    return answer(
        () -> {
          ObjectNode answer = object();
          ArrayNode items = answer.putArray("audit");
          actions
              .audit(words(uri, List.of("before", "limit")), MOST)
              .forEach(entry -> items.add(EventsJson.of(entry)));
          return answer;
        });
  }

  private EventWords words(UriInfo uri, List<String> known) {
    for (String name : uri.getQueryParameters().keySet()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "'" + name + "' is no parameter here: there are " + String.join(", ", known));
      }
    }
    return actions.words(uri.getQueryParameters()::getFirst);
  }

  private static Response answer(Supplier<ObjectNode> work) {
    try {
      return Response.ok(work.get().toString()).build();
    } catch (IllegalArgumentException e) {
      return problem(400, String.valueOf(e.getMessage()));
    }
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static Response problem(int status, String detail) {
    return Response.status(status)
        .type(Problems.MEDIA_TYPE)
        .entity(Problems.body(status, detail).toString())
        .build();
  }
}
