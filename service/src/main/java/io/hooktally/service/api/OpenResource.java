package io.hooktally.service.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.store.run.OpenDisagreement;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.Watermarks;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** How things stand: {@code GET /api/watermarks} and {@code /api/disagreements}. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class OpenResource {
  private static final int MOST = 100;

  private final OpenDisagreements open;
  private final Watermarks watermarks;

  /** Over one database. */
  public OpenResource(Jdbi jdbi) {
    this.open = new OpenDisagreements(jdbi);
    this.watermarks = new Watermarks(jdbi);
  }

  /** Up to where the replica of one entity type is vouched for. */
  @GET
  @Path("watermarks")
  public Response watermark(
      @QueryParam("source") @Nullable String source, @QueryParam("entity") @Nullable String type) {
    if (source == null || type == null) {
      return ApiProblem.of(400, "source and entity are needed.");
    }
    ObjectNode answer =
        JsonNodeFactory.instance
            .objectNode()
            .put("source", source)
            .put("entity", type)
            .put("at", watermarks.find(source, type).map(Object::toString).orElse(null));
    return Response.ok(answer.toString()).build();
  }

  /**
   * What is open, at most 100.
   *
   * @param after only entities with greater ids, to read on
   */
  @GET
  @Path("disagreements")
  public Response disagreements(
      @QueryParam("source") @Nullable String source,
      @QueryParam("entity") @Nullable String type,
      @QueryParam("after") @Nullable String after) {
    if (source == null || type == null) {
      return ApiProblem.of(400, "source and entity are needed.");
    }
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put("open", open.open(source, type));
    ArrayNode items = answer.putArray("disagreements");
    for (OpenDisagreement one :
        open.list(source, type, Optional.ofNullable(after).orElse(""), MOST)) {
      items
          .addObject()
          .put("id", one.entityId())
          .put("run", one.runId())
          .put("kind", one.kind() == null ? null : one.kind().text())
          .put("state", one.state().text())
          .put("note", one.note())
          .put("approvedBy", one.approvedBy());
    }
    return Response.ok(answer.toString()).build();
  }
}
