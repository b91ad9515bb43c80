package io.hooktally.service.api;

import io.hooktally.service.admin.Problems;
import io.hooktally.store.run.Runs;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** How far a run is: {@code GET /api/runs/{id}/progress}. */
@Path("/runs/{id: \\d{1,18}}/progress")
@Produces(MediaType.APPLICATION_JSON)
public final class ProgressResource {
  private final Runs runs;

  /** Over the recorded runs. */
  public ProgressResource(Runs runs) {
    this.runs = runs;
  }

  /** Phase, pages, rows, and what was asked of the source so far. */
  @GET
  public Response progress(@PathParam("id") long id) {
    return runs.find(id)
        .map(run -> Response.ok(ProgressJson.of(run).toString()).build())
        .orElseGet(
            () ->
                Response.status(404)
                    .type(Problems.MEDIA_TYPE)
                    .entity(
                        Problems.body(404, "There is no run " + id + "; GET /api/runs lists them.")
                            .toString())
                    .build());
  }
}
