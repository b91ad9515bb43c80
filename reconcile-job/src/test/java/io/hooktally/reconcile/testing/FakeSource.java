package io.hooktally.reconcile.testing;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.store.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A source's API on 127.0.0.1 that speaks like the contract: orders by offset, a limit clamped
 * silently, unknown query keys ignored. It is a list of orders, which tests change at will, also
 * between two requests; and faults can be put in its way.
 */
public final class FakeSource implements AutoCloseable {
  /** Answers a request instead of the source, or lets it pass (empty). */
  @FunctionalInterface
  public interface Fault {
    Optional<Response> on(String path, Map<String, String> query, int number);
  }

  /** A raw answer. */
  public record Response(int status, String contentType, String body, Map<String, String> headers) {
    public static Response json(int status, String body) {
      return new Response(status, "application/json", body, Map.of());
    }

    /** The same with a promise of more bytes than come before the connection is closed. */
    public Response cutShort() {
      return with("Content-Length", String.valueOf(body.length() + 100))
          .with("Connection", "close");
    }

    public Response with(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(headers);
      more.put(name, value);
      return new Response(status, contentType, body, more);
    }
  }

  /** A change that the API does not show yet; null: a deletion. */
  private record Change(Instant seenFrom, String id, @Nullable ObjectNode order) {}

  private final TinyHttp server;
  private final InstantSource clock;
  private final Map<String, ObjectNode> orders = new LinkedHashMap<>();
  // What the API shows: behind the orders where it lags.
  private final Map<String, ObjectNode> visible = new LinkedHashMap<>();
  private final Deque<Change> unseen = new ArrayDeque<>();
  private final List<Fault> faults = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile Predicate<ObjectNode> shown = row -> true;
  private volatile UnaryOperator<ObjectNode> listedAs = row -> row;
  private volatile Duration lag = Duration.ZERO;
  private volatile Runnable afterPage = () -> {};
  private volatile boolean total = true;
  private volatile boolean hasMore = true;
  private volatile boolean echo = true;
  private volatile boolean range;
  private volatile int maxLimit = 200;

  public FakeSource(InstantSource clock) {
    this.clock = clock;
    this.server = new TinyHttp(this::handle);
  }

  public String url() {
    return "http://127.0.0.1:" + server.port();
  }

  /** The configuration of this source: short waits; the rest as the contract has it. */
  public SourceConfig config() {
    return config("{}");
  }

  /** The same with a JSON object merged over the entity type's configuration. */
  public SourceConfig config(String entity) {
    return configAt(url(), entity);
  }

  /** The same for a process that knows only where this source is. */
  public static SourceConfig configAt(String url, String entity) {
    ObjectNode root =
        parse(
            """
            {"signature": "none", "event": {"idHeader": "X-Event-Id", "topicHeader": "X-Topic"},
             "api": {"callTimeout": "2s", "connectTimeout": "1s", "attempts": 3, "backoff": "1ms",
               "maxBackoff": "5ms", "maxResponse": "1MiB"},
             "lag": "1s", "settle": "2m",
             "entities": {"order": {"topics": ["order.*"], "list": {"path": "/v1/orders"},
               "read": {"path": "/v1/orders/{id}"}}}}
            """);
    ((ObjectNode) root.get("api")).put("url", url);
    try {
      Json.mapper().readerForUpdating(root.at("/entities/order")).readValue(entity);
      SourceConfig config = Json.mapper().treeToValue(root, SourceConfig.class).named("shop");
      if (!config.problems().isEmpty()) {
        throw new IllegalStateException(config.problems().toString());
      }
      return config;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static ObjectNode parse(String json) {
    return (ObjectNode) Json.parse(json.getBytes(StandardCharsets.UTF_8));
  }

  // ---- what the source holds

  public synchronized ObjectNode put(String id, Instant modified) {
    ObjectNode order = orders.containsKey(id) ? orders.get(id).deepCopy() : parse("{}");
    order.put("id", id);
    order.put("status", order.path("status").asText("placed"));
    if (!order.has("grand_total")) {
      order.set("grand_total", Json.parse("10.5000".getBytes(StandardCharsets.UTF_8)));
    }
    order.put("created_at", order.path("created_at").asText(modified.toString()));
    order.put("updated_at", modified.toString());
    return put(order);
  }

  public synchronized ObjectNode put(ObjectNode order) {
    orders.remove(order.get("id").asText());
    orders.put(order.get("id").asText(), order);
    show(order.get("id").asText(), order);
    return order;
  }

  public synchronized void change(String id, Instant modified, String field, String value) {
    ObjectNode order = orders.get(id).deepCopy();
    order.put(field, value);
    order.put("updated_at", modified.toString());
    put(order);
  }

  public synchronized void delete(String id) {
    orders.remove(id);
    show(id, null);
  }

  private void show(String id, @Nullable ObjectNode order) {
    unseen.add(new Change(clock.instant().plus(lag), id, order));
    showDue();
  }

  private synchronized void showDue() {
    while (!unseen.isEmpty() && !unseen.element().seenFrom().isAfter(clock.instant())) {
      Change change = unseen.remove();
      visible.remove(change.id());
      if (change.order() != null) {
        visible.put(change.id(), change.order());
      }
    }
  }

  public synchronized Map<String, ObjectNode> orders() {
    return new LinkedHashMap<>(orders);
  }

  /** What a single read answers: the row, and what only the aggregate carries. */
  public synchronized ObjectNode aggregate(String id) {
    return aggregate(orders.get(id));
  }

  private static ObjectNode aggregate(ObjectNode row) {
    ObjectNode order = row.deepCopy();
    order.putArray("positions").addObject().put("sku", "A-1").put("quantity", 2);
    return order;
  }

  // ---- how it behaves

  /** Rows that do not satisfy it are counted and take positions, and are left out of pages. */
  public void show(Predicate<ObjectNode> rows) {
    shown = rows;
  }

  /** How the list writes a row that single reads write otherwise; gets a copy. */
  public void listedAs(UnaryOperator<ObjectNode> notation) {
    listedAs = notation;
  }

  /** How far the API is behind, lists and single reads alike, from the next change on. */
  public void lag(Duration behind) {
    lag = behind;
  }

  /** Runs once each page of a list has been made, before it is sent. */
  public void afterEachPage(Runnable change) {
    afterPage = change;
  }

  public void omit(boolean withoutTotal, boolean withoutHasMore, boolean withoutEcho) {
    total = !withoutTotal;
    hasMore = !withoutHasMore;
    echo = !withoutEcho;
  }

  /** From now on the query keys {@code from} and {@code to} are no longer ignored. */
  public void takesRange() {
    range = true;
  }

  public void clampTo(int limit) {
    maxLimit = limit;
  }

  public void fault(Fault fault) {
    faults.add(fault);
  }

  public void noFaults() {
    faults.clear();
  }

  /** All requests so far, path and query. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  // ---- the server

  private byte[] handle(String target) {
    requests.add(target);
    int at = target.indexOf('?');
    String path = at < 0 ? target : target.substring(0, at);
    return bytes(answer(path, query(at < 0 ? null : target.substring(at + 1)), requests.size()));
  }

  private Response answer(String path, Map<String, String> query, int number) {
    for (Fault fault : faults) {
      Optional<Response> response = fault.on(path, query, number);
      if (response.isPresent()) {
        return response.get();
      }
    }
    if (path.equals("/v1/orders")) {
      Response page = Response.json(200, list(query));
      afterPage.run();
      return page;
    }
    String id = decode(path.substring(path.lastIndexOf('/') + 1));
    synchronized (this) {
      showDue();
      return path.startsWith("/v1/orders/") && visible.containsKey(id)
          ? Response.json(200, aggregate(visible.get(id)).toString())
          : Response.json(404, "{\"message\": \"not found\", \"code\": 404}");
    }
  }

  private synchronized String list(Map<String, String> query) {
    int limit = Math.min(Integer.parseInt(query.getOrDefault("limit", "50")), maxLimit);
    int offset = Integer.parseInt(query.getOrDefault("offset", "0"));
    showDue();
    List<ObjectNode> all = new ArrayList<>(visible.values());
    String order = query.getOrDefault("order", "");
    String column = order.startsWith("created_at.") ? "created_at" : "updated_at";
    all.removeIf(row -> range && isOutside(row, column, query));
    if (order.endsWith("_at.desc")) {
      all.sort(Comparator.comparing((ObjectNode row) -> time(row, column)).reversed());
    }
    List<ObjectNode> page =
        all.subList(Math.min(offset, all.size()), Math.min(offset + limit, all.size()));
    ObjectNode envelope = parse("{}");
    ArrayNode items = envelope.putArray("items");
    page.stream().filter(shown).map(row -> listedAs.apply(row.deepCopy())).forEach(items::add);
    if (total) {
      envelope.put("total", all.size());
    }
    ObjectNode echoed = envelope.putObject("page");
    if (echo) {
      echoed.put("limit", limit).put("offset", offset).put("returned", items.size());
    }
    if (hasMore) {
      echoed.put("hasMore", offset + limit < all.size());
    }
    return envelope.toString();
  }

  // Borders left out, fractions cut off: as bad as ranges get.
  private static boolean isOutside(ObjectNode row, String column, Map<String, String> query) {
    Instant time = time(row, column);
    return (query.containsKey("from") && !time.isAfter(Instant.parse(query.get("from"))))
        || (query.containsKey("to") && !time.isBefore(Instant.parse(query.get("to"))));
  }

  private static Instant time(ObjectNode order, String column) {
    return Instant.parse(order.get(column).asText());
  }

  private byte[] bytes(Response response) {
    byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder("HTTP/1.1 " + response.status() + " X\r\n");
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", response.contentType());
    headers.put(
        "Date",
        DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
            .format(clock.instant().atOffset(ZoneOffset.UTC)));
    if (response.status() != 204) {
      headers.put("Content-Length", String.valueOf(body.length));
    }
    headers.putAll(response.headers());
    headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = Arrays.copyOf(first, first.length + body.length);
    System.arraycopy(body, 0, whole, first.length, body.length);
    return whole;
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String pair : raw == null ? new String[0] : raw.split("&")) {
      int at = pair.indexOf('=');
      query.put(decode(pair.substring(0, at)), decode(pair.substring(at + 1)));
    }
    return query;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.close();
  }
}
