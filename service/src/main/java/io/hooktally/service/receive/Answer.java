package io.hooktally.service.receive;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** A whole response. It says what to do and nothing of what is inside. Immutable. */
final class Answer {
  static final Answer ACCEPTED = status(202, "accepted");
  static final Answer DUPLICATE = status(200, "duplicate");
  static final Answer NOT_FOUND =
      problem(404, "Nothing is here. Deliveries go to /webhooks/{source}.");
  static final Answer METHOD_NOT_ALLOWED =
      problem(405, "Deliveries are sent by POST.").with("Allow", "POST");
  static final Answer UNSIGNABLE =
      problem(503, "This source has no secret to verify deliveries with: configure one.")
          .with("Retry-After", "60");
  static final Answer BUSY =
      problem(503, "The delivery could not be stored now. Send it again.").with("Retry-After", "5");
  static final Answer TOO_SLOW =
      problem(408, "The body came too slowly. Send it again.").with("Connection", "close");
  static final Answer BROKEN = problem(400, "The body did not arrive as announced.");
  static final Answer BROKEN_ENCODING =
      problem(400, "Content-Encoding says gzip, and the body is none.");
  static final Answer UNKNOWN_ENCODING =
      problem(415, "Of content encodings gzip is understood, once.")
          .with("Accept-Encoding", "gzip");

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  private Answer(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  private static Answer status(int status, String word) {
    return new Answer(
        status,
        Map.of("Content-Type", "application/json"),
        ("{\"status\":\"" + word + "\"}").getBytes(StandardCharsets.UTF_8));
  }

  /** An error as RFC 9457 has it. */
  static Answer problem(int status, String detail) {
    ObjectNode problem = JsonNodeFactory.instance.objectNode();
    problem.put("type", "about:blank");
    problem.put("title", HttpStatus.getMessage(status));
    problem.put("status", status);
    if (!detail.isEmpty()) {
      problem.put("detail", detail);
    }
    return new Answer(
        status,
        Map.of("Content-Type", "application/problem+json"),
        problem.toString().getBytes(StandardCharsets.UTF_8));
  }

  Answer with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Answer(status, more, body);
  }

  int status() {
    return status;
  }

  /**
   * Writes into the response's buffer. Without a length it stays there until the exchange is
   * completed, which then is what sends it, without blocking.
   */
  void write(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    headers.forEach(response::setHeader);
    response.getOutputStream().write(body);
  }

  /** Sends it where there is no servlet. */
  void send(Response response, Callback callback) {
    response.setStatus(status);
    headers.forEach((name, value) -> response.getHeaders().put(name, value));
    response.write(true, ByteBuffer.wrap(body), callback);
  }
}
