package io.hooktally.reconcile.benchmark;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * The fake source, in a process of its own: {@code /{every}/{variant}/orders}, paged by limit and
 * offset, and single orders. Ends with its standard input.
 */
final class OrdersApi {
  private static final int MOST_PER_PAGE = 200;

  private final long count;

  private OrdersApi(long count) {
    this.count = count;
  }

  /** Serves so many orders on a free port, which it prints. */
  public static void main(String[] arguments) throws IOException {
    // Else every small answer waits 40 ms for the client's delayed acknowledgement of its header.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    OrdersApi api = new OrdersApi(Long.parseLong(arguments[0]));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", api::answer);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.start();
    System.out.println(server.getAddress().getPort());
    System.out.flush();
    while (System.in.read() >= 0) {
      // Until who started us has gone.
    }
    System.exit(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    Orders orders = new Orders(Integer.parseInt(path[1]), Integer.parseInt(path[2]));
    StringBuilder out = new StringBuilder(1 << 18);
    int status = 200;
    if (path.length > 4) {
      long place = path[4].length() == 36 ? Orders.place(path[4]) : -1;
      if (place >= 0 && place < count && Orders.id(place).equals(path[4])) {
        orders.whole(place, out);
      } else {
        status = 404;
        out.append("{\"message\":\"not found\",\"code\":404,\"type\":\"not_found\"}");
      }
    } else {
      page(orders, exchange.getRequestURI().getQuery(), out);
    }
    byte[] body = out.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    try (exchange) {
      exchange.getResponseBody().write(body);
    }
  }

  private void page(Orders orders, String query, StringBuilder out) {
    int limit = (int) Math.min(MOST_PER_PAGE, number(query, "limit", 50));
    long offset = number(query, "offset", 0);
    long end = Math.min(count, offset + limit);
    out.append("{\"items\":[");
    for (long place = offset; place < end; place++) {
      out.append(place == offset ? "" : ",");
      orders.row(place, out);
      out.append('}');
    }
    out.append("],\"total\":").append(count).append(",\"filter\":{},\"page\":{\"limit\":");
    out.append(limit).append(",\"offset\":").append(offset);
    out.append(",\"returned\":").append(Math.max(0, end - offset));
    out.append(",\"hasMore\":").append(end < count).append("}}");
  }

  private static long number(String query, String key, long otherwise) {
    for (String part : query.split("&", -1)) {
      if (part.startsWith(key + "=")) {
        return Long.parseLong(part.substring(key.length() + 1));
      }
    }
    return otherwise;
  }
}
