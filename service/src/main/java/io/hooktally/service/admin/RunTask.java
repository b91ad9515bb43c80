package io.hooktally.service.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.hooktally.reconcile.LeaseHeldException;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.RunRefusedException;
import io.hooktally.reconcile.RunRequest;
import io.hooktally.service.RunRequests;
import io.hooktally.store.run.RunReason;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /tasks/reconcile} and {@code /tasks/backfill}: starts a run and answers its id at
 * once; the run goes on in the background. Parameters {@code source}, {@code entity}, {@code from},
 * {@code to} or {@code all}, {@code dryRun} and {@code trustSource}, in the query or as a form.
 */
public final class RunTask extends HttpServlet {
  @Serial private static final long serialVersionUID = 1L;

  private static final List<String> PARAMETERS =
      List.of("source", "entity", "from", "to", "all", "dryRun", "trustSource");
  private static final Logger LOG = LoggerFactory.getLogger(RunTask.class);

  private final transient RunReason reason;
  private final transient RunRequests requests;
  private final transient Reconciler reconciler;
  private final transient Executor executor;

  /** For one kind of run. */
  public RunTask(RunReason reason, RunRequests requests, Reconciler reconciler, Executor executor) {
    this.reason = reason;
    this.requests = requests;
    this.reconciler = reconciler;
    this.executor = executor;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      refuseUnknown(request);
      RunRequest run =
          requests.of(
              reason,
              request.getParameter("source"),
              request.getParameter("entity"),
              request.getParameter("from"),
              request.getParameter("to"),
              request.getParameter("all"),
              request.getParameter("dryRun"),
              request.getParameter("trustSource"));
      long id = reconciler.start(run, executor);
      response.setStatus(HttpServletResponse.SC_ACCEPTED);
      response.setContentType("application/json");
      response.setHeader("Location", "/api/runs/" + id);
      response
          .getOutputStream()
          .write(
              JsonNodeFactory.instance
                  .objectNode()
                  .put("run", id)
                  .toString()
                  .getBytes(StandardCharsets.UTF_8));
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
      LOG.error("a run could not be started", e);
      Problems.write(response, 503, "The run could not be started; the log says why. Try again.");
    }
  }

  // A misspelt dryRun must not become a run that writes.
  private static void refuseUnknown(HttpServletRequest request) {
    for (String name : request.getParameterMap().keySet()) {
      if (!PARAMETERS.contains(name)) {
        throw new IllegalArgumentException(
            "'" + name + "' is no parameter here: there are " + String.join(", ", PARAMETERS));
      }
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Allow", "POST");
    Problems.write(response, 405, "Use POST.");
  }
}
