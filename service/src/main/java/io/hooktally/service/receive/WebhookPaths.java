package io.hooktally.service.receive;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Lets POST /webhooks/{source} through and nothing else. Stands before every filter, and compares
 * the path as it was sent: no other spelling of it is a second door.
 */
final class WebhookPaths extends Handler.Wrapper {
  /** Where deliveries go, followed by the source's name. */
  static final String PREFIX = "/webhooks/";

  private static final String SOURCE = WebhookPaths.class.getName();

  private final Map<String, ReceivingSource> sources;

  WebhookPaths(List<ReceivingSource> sources) {
    this.sources =
        sources.stream().collect(Collectors.toMap(source -> PREFIX + source.name(), one -> one));
  }

  /** The source that a request that was let through is for. */
  static ReceivingSource source(HttpServletRequest request) {
    return (ReceivingSource) requireNonNull(request.getAttribute(SOURCE));
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    ReceivingSource source =
        request.getHttpURI().getFragment() == null ? sources.get(pathInContext(request)) : null;
    if (source == null) {
      Answer.NOT_FOUND.send(response, callback);
      return true;
    }
    Tally tally = source.tally();
    tally.begin();
    Request.addCompletionListener(request, failure -> tally.end());
    if (!HttpMethod.POST.is(request.getMethod())) {
      tally.decide(Outcome.REFUSED_METHOD);
      source.samples().refused(Outcome.REFUSED_METHOD, request.getHeaders(), request.getLength());
      Answer.METHOD_NOT_ALLOWED.send(response, callback);
      return true;
    }
    request.setAttribute(SOURCE, source);
    return super.handle(request, response, callback);
  }

  private static String pathInContext(Request request) {
    String path = request.getHttpURI().getPath();
    String context = Request.getContextPath(request);
    if (path == null) {
      return "";
    }
    return path.startsWith(context) && context.length() > 1
        ? path.substring(context.length())
        : path;
  }
}
