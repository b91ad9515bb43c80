package io.hooktally.service.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.LeaseHeldException;
import io.hooktally.reconcile.RunRefusedException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /tasks/...}: one thing a person does, answered with what became of it. */
public final class ActionTask extends HttpServlet {
  @Serial private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(ActionTask.class);

  private final List<String> parameters;
  private final transient Function<HttpServletRequest, ObjectNode> action;

  /**
   * Of one action.
   *
   * @param parameters all it takes, in the query or as a form
   */
  public ActionTask(List<String> parameters, Function<HttpServletRequest, ObjectNode> action) {
    this.parameters = List.copyOf(parameters);
    this.action = action;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      for (String name : request.getParameterMap().keySet()) {
        if (!parameters.contains(name)) {
          throw new IllegalArgumentException(
              "'" + name + "' is no parameter here: there are " + String.join(", ", parameters));
        }
      }
      byte[] body = action.apply(request).toString().getBytes(StandardCharsets.UTF_8);
      response.setContentType("application/json");
      response.getOutputStream().write(body);
    } catch (IllegalArgumentException | RunRefusedException e) {
      Problems.write(response, 400, String.valueOf(e.getMessage()));
    } catch (LeaseHeldException e) {
      Problems.write(
          response,
          409,
          Problems.body(409, String.valueOf(e.getMessage())).put("holder", e.holder()));
    } catch (RejectedExecutionException e) {
      Problems.write(response, 503, "The service is stopping.");
    } catch (RuntimeException e) {
      LOG.error("{} failed", request.getServletPath(), e);
      Problems.write(response, 503, "It could not be done; the log says why. Try again.");
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Allow", "POST");
    Problems.write(response, 405, "Use POST.");
  }
}
