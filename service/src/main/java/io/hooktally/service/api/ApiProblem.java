package io.hooktally.service.api;

import io.hooktally.service.admin.Problems;
import jakarta.ws.rs.core.Response;

/** Errors of the API as problem+json. */
final class ApiProblem {
  private ApiProblem() {}

  /** Such an answer. */
  static Response of(int status, String detail) {
    return Response.status(status)
        .type(Problems.MEDIA_TYPE)
        .entity(Problems.body(status, detail).toString())
        .build();
  }
}
