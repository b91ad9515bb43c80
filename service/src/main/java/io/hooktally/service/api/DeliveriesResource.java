package io.hooktally.service.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.store.inbox.Conflict;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.inbox.OtherBody;
import io.hooktally.store.inbox.ProcessedEvent;
import io.hooktally.store.inbox.Refused;
import io.hooktally.store.inbox.RefusedDeliveries;
import io.hooktally.store.inbox.Trouble;
import io.hooktally.store.inbox.Troubles;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * What became of deliveries: {@code GET /api/troubles} (spans in which they were refused or
 * unavailable, or nobody was there), {@code /api/refused} (samples), {@code /api/conflicts}, and
 * {@code /api/event}, one event whole.
 */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class DeliveriesResource {
  private static final int MOST = 100;

  private final Inbox inbox;
  private final Troubles troubles;
  private final RefusedDeliveries refused;

  /** Over one database. */
  public DeliveriesResource(Jdbi jdbi) {
    this.inbox = new Inbox(jdbi, "api");
    this.troubles = new Troubles(jdbi);
    this.refused = new RefusedDeliveries(jdbi);
  }

  /**
   * The latest 100 spans.
   *
   * @param from an instant; left out: the beginning
   * @param to an instant; left out: ever after
   */
  @GET
  @Path("troubles")
  public Response troubles(
      @QueryParam("source") @Nullable String source,
      @QueryParam("from") @DefaultValue("1970-01-01T00:00:00Z") String from,
      @QueryParam("to") @DefaultValue("9999-01-01T00:00:00Z") String to) {
    if (source == null) {
      return ApiProblem.of(400, "source is needed.");
    }
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    try {
      for (Trouble one : troubles.list(source, Instant.parse(from), Instant.parse(to), MOST)) {
        items
            .addObject()
            .put("outcome", one.outcome())
            .put("from", one.beganAt().toString())
            .put("to", one.endedAt().toString())
            .put("deliveries", one.deliveries());
      }
    } catch (DateTimeParseException e) {
      return ApiProblem.of(400, "from and to must be instants, such as 2026-11-01T00:00:00Z.");
    }
    return ok(JsonNodeFactory.instance.objectNode().set("troubles", items));
  }

  /** The newest 100 samples of what was refused. */
  @GET
  @Path("refused")
  public Response refused(@QueryParam("source") @Nullable String source) {
    if (source == null) {
      return ApiProblem.of(400, "source is needed.");
    }
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    for (Refused one : refused.list(source, MOST)) {
      ObjectNode item =
          items
              .addObject()
              .put("at", one.at().toString())
              .put("outcome", one.outcome())
              .put("bodySize", one.bodySize())
              .put("bodySha256", one.bodySha256());
      item.set("headers", Payloads.headers(one.headers()));
    }
    return ok(JsonNodeFactory.instance.objectNode().set("refused", items));
  }

  /**
   * The newest 100 other bodies under ids we have.
   *
   * @param before only conflicts with smaller numbers, to read on
   */
  @GET
  @Path("conflicts")
  public Response conflicts(
      @QueryParam("source") @Nullable String source,
      @QueryParam("before") @DefaultValue("9223372036854775807") long before) {
    if (source == null) {
      return ApiProblem.of(400, "source is needed.");
    }
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    for (OtherBody one : inbox.newestConflicts(source, before, MOST)) {
      items
          .addObject()
          .put("id", one.id())
          .put("eventId", one.eventId())
          .put("topic", one.topic())
          .put("receivedAt", one.receivedAt().toString())
          .put("deliveries", one.deliveries())
          .put("bodySha256", one.bodySha256())
          .put("bodySize", one.bodySize());
    }
    return ok(JsonNodeFactory.instance.objectNode().set("conflicts", items));
  }

  /** One event: what the ledger has of it, its payload, and the other bodies under its id. */
  @GET
  @Path("event")
  public Response event(
      @QueryParam("source") @Nullable String source, @QueryParam("id") @Nullable String id) {
    if (source == null || id == null) {
      return ApiProblem.of(400, "source and id are needed.");
    }
    Optional<ProcessedEvent> found = inbox.event(source, id);
    if (found.isEmpty()) {
      return ApiProblem.of(404, "No event with this id has come from this source.");
    }
    ProcessedEvent event = found.get();
    ObjectNode answer =
        JsonNodeFactory.instance
            .objectNode()
            .put("source", source)
            .put("id", id)
            .put("topic", event.topic())
            .put("firstReceivedAt", event.firstReceivedAt().toString())
            .put("lastReceivedAt", event.lastReceivedAt().toString())
            .put("deliveries", event.deliveries())
            .put("conflicts", event.conflicts())
            .put("bodySha256", event.bodySha256());
    answer.set(
        "payload",
        inbox
            .payload(source, id)
            .<JsonNode>map(Payloads::json)
            .orElse(JsonNodeFactory.instance.nullNode()));
    ArrayNode others = answer.putArray("otherBodies");
    for (Conflict other : inbox.conflicts(source, id)) {
      ObjectNode item =
          others
              .addObject()
              .put("id", other.id())
              .put("topic", other.topic())
              .put("receivedAt", other.receivedAt().toString())
              .put("deliveries", other.deliveries())
              .put("bodySha256", other.bodySha256());
      item.set("payload", Payloads.json(other.payload()));
    }
    return ok(answer);
  }

  private static Response ok(JsonNode answer) {
    return Response.ok(answer.toString()).build();
  }
}
