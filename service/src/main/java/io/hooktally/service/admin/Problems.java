package io.hooktally.service.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpStatus;

/** Errors as problem+json (RFC 9457): what is wrong and what to do, nothing of our insides. */
public final class Problems {
  /** The media type. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private Problems() {}

  /** The body of such an answer. */
  public static ObjectNode body(int status, String detail) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "about:blank")
        .put("title", HttpStatus.getMessage(status))
        .put("status", status)
        .put("detail", detail);
  }

  /** Answers with it. */
  public static void write(HttpServletResponse response, int status, String detail)
      throws IOException {
    write(response, status, body(status, detail));
  }

  /** Answers with it and what was added to it. */
  static void write(HttpServletResponse response, int status, ObjectNode body) throws IOException {
    response.setStatus(status);
    response.setContentType(MEDIA_TYPE);
    response.getOutputStream().write(body.toString().getBytes(StandardCharsets.UTF_8));
  }
}
