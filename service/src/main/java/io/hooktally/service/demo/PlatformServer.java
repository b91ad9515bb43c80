package io.hooktally.service.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.service.HooktallyException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The platform's API over HTTP: the list and the single read of orders. Like the real one it clamps
 * {@code limit} and ignores query keys that it does not know.
 */
final class PlatformServer implements AutoCloseable {
  private static final String ORDERS = "/v1/orders";
  private static final int MOST = 200;
  private static final int USUAL = 50;

  private final SimulatedPlatform platform;
  private final String apiKey;
  private final Server server;
  private final ServerConnector connector;

  PlatformServer(SimulatedPlatform platform, String apiKey) {
    this.platform = platform;
    this.apiKey = apiKey;
    QueuedThreadPool threads = new QueuedThreadPool(16, 2);
    threads.setName("demo-platform");
    threads.setDaemon(true);
    server = new Server(threads);
    connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(new Api());
  }

  void start() throws Exception {
    server.start();
  }

  /** The API's base URL. */
  String url() {
    return "http://127.0.0.1:" + connector.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new HooktallyException("The demo's platform does not stop: " + e.getMessage(), e);
    }
  }

  private final class Api extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      String path = Request.getPathInContext(request);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
      ObjectNode answer;
      if (!apiKey.equals(request.getHeaders().get("X-Revenexx-Api-Key"))) {
        answer = error(response, 401, "unauthorized");
      } else if (path.equals(ORDERS)) {
        answer = list(Request.extractQueryParameters(request));
      } else {
        Optional<OrderState> order =
            path.startsWith(ORDERS + "/")
                ? platform.read(path.substring(ORDERS.length() + 1))
                : Optional.empty();
        answer =
            order.map(OrderState::aggregate).orElseGet(() -> error(response, 404, "not_found"));
      }
      Content.Sink.write(response, true, answer.toString(), callback);
      return true;
    }
  }

  private ObjectNode list(Fields query) {
    int limit = Math.min(MOST, number(query, "limit", USUAL));
    int offset = number(query, "offset", 0);
    List<OrderState> all = platform.newestFirst();
    List<OrderState> page =
        all.subList(Math.min(offset, all.size()), Math.min(offset + limit, all.size()));
    ObjectNode answer = OrderState.NODES.objectNode();
    ArrayNode items = answer.putArray("items");
    page.forEach(order -> items.add(order.listRow()));
    answer.put("total", all.size());
    answer.putObject("filter");
    answer
        .putObject("page")
        .put("limit", limit)
        .put("offset", offset)
        .put("returned", page.size())
        .put("hasMore", offset + page.size() < all.size());
    return answer;
  }

  private static int number(Fields query, String name, int otherwise) {
    String value = query.getValue(name);
    return value == null || !value.matches("\\d{1,9}") ? otherwise : Integer.parseInt(value);
  }

  private static ObjectNode error(Response response, int status, String type) {
    response.setStatus(status);
    return OrderState.NODES.objectNode().put("message", type).put("code", status).put("type", type);
  }
}
