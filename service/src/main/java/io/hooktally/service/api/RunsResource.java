package io.hooktally.service.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.service.admin.Problems;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.Runs;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs: {@code GET /api/runs}. What one says is {@link ReportsResource}'s. */
@Path("/runs")
@Produces(MediaType.APPLICATION_JSON)
public final class RunsResource {
  private static final int MOST = 100;

  private final Runs runs;

  /** Over the recorded runs. */
  public RunsResource(Runs runs) {
    this.runs = runs;
  }

  /**
   * Runs, the newest first, at most 100.
   *
   * @param before only runs with smaller numbers, to read on
   */
  @GET
  public Response list(@QueryParam("before") @Nullable String before) {
    Optional<Long> limit = before == null ? Optional.of(Long.MAX_VALUE) : number(before);
    if (limit.isEmpty()) {
      return problem(400, "before must be a run's number, such as 42.");
    }
    List<Run> found = runs.list(limit.get(), MOST);
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode items = answer.putArray("runs");
    found.forEach(run -> items.add(RunJson.of(run)));
    return Response.ok(answer.toString()).build();
  }

  private static Optional<Long> number(String text) {
    return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }

  private static Response problem(int status, String detail) {
    return Response.status(status)
        .type(Problems.MEDIA_TYPE)
        .entity(Problems.body(status, detail).toString())
        .build();
  }
}
