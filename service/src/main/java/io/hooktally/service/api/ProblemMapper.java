package io.hooktally.service.api;

import io.hooktally.service.admin.Problems;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers problem+json whatever went wrong; what exactly is for the log only. */
public final class ProblemMapper implements ExceptionMapper<Throwable> {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemMapper.class);

  /** For Jersey. */
  public ProblemMapper() {}

  @Override
  public Response toResponse(Throwable error) {
    int status = error instanceof WebApplicationException web ? web.getResponse().getStatus() : 503;
    if (!(error instanceof WebApplicationException)) {
      LOG.error("a request to the API failed", error);
    }
    String detail =
        switch (status) {
          case 404 -> "There is nothing here. GET /api/runs lists runs.";
          case 405 -> "This method is not for this path.";
          default -> "The request could not be served; the log says why.";
        };
    return Response.status(status)
        .type(Problems.MEDIA_TYPE)
        .entity(Problems.body(status, detail).toString())
        .build();
  }
}
