package io.hooktally.service.receive;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Replaces Jetty's error pages: the status and its standard name, and nothing of path, exception,
 * servlet or version. For whatever Jetty answers by itself: malformed HTTP, headers too large,
 * failures, a stop.
 */
public final class PlainErrorHandler extends ErrorHandler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = status(request, response);
    if (HttpStatus.hasNoBody(status)) {
      response.setStatus(status);
      callback.succeeded();
      return true;
    }
    Answer answer = Answer.problem(status, "");
    if (status == HttpStatus.SERVICE_UNAVAILABLE_503) {
      answer = answer.with("Retry-After", "5");
    }
    answer.send(response, callback);
    return true;
  }

  private static int status(Request request, Response response) {
    if (request.getAttribute(ERROR_EXCEPTION) instanceof HttpException http) {
      return http.getCode();
    }
    int status = response.getStatus();
    return HttpStatus.isClientError(status) || HttpStatus.isServerError(status)
        ? status
        : HttpStatus.INTERNAL_SERVER_ERROR_500;
  }
}
