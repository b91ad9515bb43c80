package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import okhttp3.Dns;
import okhttp3.HttpUrl;

/**
 * Reads a source's API. Thread-safe: several threads may read at once. Every method may wait for
 * the network, for its turn and for retries, so no database transaction may be open around it; a
 * thread that is interrupted meanwhile returns promptly, with {@link
 * SourceUnavailableException.Kind#INTERRUPTED}.
 *
 * <p>There is one client per source and process, and {@linkplain #as views} of it for each who
 * asks: they share connections, the budget of requests and the circuit breaker.
 */
public final class SourceClient implements AutoCloseable {
  private record Type(
      EntityConfig config, Pointers entity, Pointers id, Pointers deleted, EntityTimes times) {
    static Type of(EntityConfig config) {
      ReadConfig read = config.read();
      return new Type(
          config,
          new Pointers(read.entity()),
          new Pointers(read.id()),
          new Pointers(read.deleted()),
          new EntityTimes(config));
    }
  }

  private final SourceConfig config;
  private final SourceUrls urls;
  private final Map<String, Type> types;
  private final SourceHttp http;
  private final Retrying retrying;
  private final Asker asker;
  private final boolean owner;

  /** Of a source whose configuration has no problems; the clock is ours. */
  public SourceClient(SourceConfig config, InstantSource clock) {
    this(config, clock, System::nanoTime, Dns.SYSTEM);
  }

  /**
   * The same with the clock that its waits go by: nanoseconds that only run forward, {@link
   * System#nanoTime} but where time is moved by hand.
   */
  public SourceClient(SourceConfig config, InstantSource clock, LongSupplier nanos) {
    this(config, clock, nanos, Dns.SYSTEM);
  }

  SourceClient(SourceConfig config, InstantSource clock, LongSupplier nanos, Dns dns) {
    this(
        config,
        types(config),
        new SourceHttp(config, clock, nanos, dns),
        new Retrying(config.name(), config.api()),
        Priority.LIVE,
        true);
  }

  private SourceClient(
      SourceConfig config,
      Map<String, Type> types,
      SourceHttp http,
      Retrying retrying,
      Priority priority,
      boolean owner) {
    this.config = config;
    this.urls = new SourceUrls(config.api().url());
    this.types = types;
    this.http = http;
    this.retrying = retrying;
    this.asker = new Asker(priority, patience(config.api()), new Meter());
    this.owner = owner;
  }

  // Who tries again by itself has better things to do than to wait; others wait as long as it
  // takes.
  private static Duration patience(ApiConfig api) {
    return api.attempts() == 1 ? api.backoff() : api.maxBackoff();
  }

  private static Map<String, Type> types(SourceConfig config) {
    Map<String, Type> types = new HashMap<>();
    config.entities().forEach((name, type) -> types.put(name, Type.of(type)));
    return types;
  }

  /**
   * A view with that priority and a {@linkplain #usage count} of its own. Closing it does nothing.
   */
  public SourceClient as(Priority other) {
    return new SourceClient(config, types, http, retrying, other, false);
  }

  /**
   * A view, as by {@link #as}, with one attempt per request, for a caller that tries again by
   * itself.
   */
  public SourceClient withoutRetries() {
    SourceConfig once = config.withoutRetries();
    return new SourceClient(
        once, types, http, new Retrying(once.name(), once.api()), asker.priority(), false);
  }

  /** How many requests wait for their turn, through whatever view. */
  int waiting() {
    return http.waiting();
  }

  /** What was asked through this view so far. */
  public SourceUsage usage() {
    return asker.meter().usage();
  }

  /**
   * Reads one entity.
   *
   * @throws SourceUnavailableException in an outage
   * @throws SourceRefusedException when the answer is not that entity
   */
  public ReadResult read(String entityType, String entityId) {
    Type type = type(entityType);
    SourceHttp.Answer<JsonNode> answer = get(urls.read(type.config.read(), entityId), Json::parse);
    JsonNode body = answer.body();
    if (body == null) {
      return new ReadResult.Gone(answer.status(), answer.sourceNow());
    }
    JsonNode entity = type.entity.find(body, JsonNode::isObject);
    String id = EntityIds.text(type.id.find(entity));
    if (!entityId.equals(id)) {
      throw http.refused(
          "the answer to a read of " + entityType + " " + entityId + " is not that entity");
    }
    if (!type.deleted.find(entity, JsonNode::booleanValue).isMissingNode()) {
      return new ReadResult.Gone(answer.status(), answer.sourceNow());
    }
    try {
      return new ReadResult.Found(entity, type.times.ofEntity(entity), answer.sourceNow());
    } catch (InvalidEventException e) {
      throw http.refused(entityType + " " + entityId + ": " + e.getMessage());
    }
  }

  /**
   * Reads one entity, or says why the source does not show it: where it is there for others, one
   * that it refuses or fails over is that entity's own trouble.
   *
   * @return also {@link ReadResult.Unreadable}
   * @throws SourceException when the source is not there at all
   */
  public ReadResult tryRead(String entityType, String entityId) {
    try {
      return read(entityType, entityId);
    } catch (SourceRefusedException e) {
      return new ReadResult.Unreadable(String.valueOf(e.getMessage()), now());
    } catch (SourceUnavailableException e) {
      boolean perhapsItsOwn =
          e.kind() == SourceUnavailableException.Kind.SERVER_ERROR
              || e.kind() == SourceUnavailableException.Kind.TIMEOUT;
      if (!perhapsItsOwn) {
        throw e;
      }
      probe(entityType);
      return new ReadResult.Unreadable(String.valueOf(e.getMessage()), now());
    }
  }

  /**
   * Reads the first page of the list, to see whether the source is there at all.
   *
   * @throws SourceException when it is not
   */
  public void probe(String entityType) {
    ListOrder order = type(entityType).config.list().by();
    pages(ListRequest.everything(entityType, order)).fetch(0);
  }

  /**
   * Lists what is wanted, newest first, each entity once, page by page: {@link ListedRow#sortedBy}
   * never increases from one row to the next, within a page and across pages.
   *
   * @param rows gets the rows as they come, on the caller's thread, never an empty list; nothing
   *     may be concluded from absence before this method returns
   * @throws IncompleteListingException when the listing is not proven complete
   * @throws SourceException when the source does not answer as it should
   */
  public Listed list(ListRequest request, Consumer<List<ListedRow>> rows) {
    return new Listing(pages(request), request).read(rows);
  }

  /** Lists everything modified since {@code from}; see {@link #list(ListRequest, Consumer)}. */
  public Listed list(String entityType, Instant from, Consumer<List<ListedRow>> rows) {
    return list(ListRequest.modifiedSince(entityType, from), rows);
  }

  /** The source's clock, by the {@code Date} of its last answer; ours until one came. */
  public Instant now() {
    return http.now();
  }

  private Pages pages(ListRequest request) {
    EntityConfig type = type(request.type()).config;
    return new Pages(
        config.name(),
        type,
        request,
        (offset, reader) -> get(urls.list(type.list(), request, offset), reader::read));
  }

  private <T> SourceHttp.Answer<T> get(HttpUrl url, Function<byte[], T> reading) {
    return retrying.call(() -> http.get(url, asker, reading));
  }

  private Type type(String name) {
    config.entity(name); // says which there are, where this is none
    return Objects.requireNonNull(types.get(name));
  }

  /** What to throw where every single read says 404: the route or the tenant is wrong. */
  public SourceUnavailableException everythingGone(String entityType) {
    return new SourceUnavailableException(
        SourceUnavailableException.Kind.DENIED,
        "source "
            + config.name()
            + ": every single read of "
            + entityType
            + " answers 404, so none is believed; check the tenant, the credentials and read.path",
        404,
        null,
        null);
  }

  /** Closes the connections, also for its views; a view closes nothing. */
  @Override
  public void close() {
    if (owner) {
      http.close();
    }
  }
}
