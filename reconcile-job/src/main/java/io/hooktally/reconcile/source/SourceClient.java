package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads a source's API. Thread-safe. Every method may wait for the network and for retries, so no
 * database transaction may be open around it.
 */
public final class SourceClient implements AutoCloseable {
  private record Type(EntityConfig config, Pointers entity, Pointers id, EntityTimes times) {}

  private final SourceConfig config;
  private final SourceHttp http;
  private final Retrying retrying;
  private final Map<String, Type> types = new HashMap<>();

  /** Of a source whose configuration has no problems; the clock is ours. */
  public SourceClient(SourceConfig config, InstantSource clock) {
    this.config = config;
    this.http = new SourceHttp(config, clock);
    this.retrying = new Retrying(config.name(), config.api());
    config
        .entities()
        .forEach(
            (name, type) ->
                types.put(
                    name,
                    new Type(
                        type,
                        new Pointers(type.read().entity()),
                        new Pointers(type.read().id()),
                        new EntityTimes(type))));
  }

  /**
   * Reads one entity.
   *
   * @throws SourceUnavailableException in an outage
   * @throws SourceRefusedException when the answer is not that entity
   */
  public ReadResult read(String entityType, String entityId) {
    Type type = type(entityType);
    SourceUrls urls = new SourceUrls(config.api().url());
    SourceHttp.Answer answer =
        retrying.call(() -> http.get(urls.read(type.config.read(), entityId)));
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
    try {
      return new ReadResult.Found(entity, type.times.ofEntity(entity), answer.sourceNow());
    } catch (InvalidEventException e) {
      throw http.refused(entityType + " " + entityId + ": " + e.getMessage());
    }
  }

  /**
   * Reads the first page of the list, to see whether the source is there at all.
   *
   * @throws SourceException when it is not
   */
  public void probe(String entityType) {
    pages(entityType).fetch(0);
  }

  /**
   * Lists everything modified since {@code from}, newest first, each entity once, page by page.
   *
   * @param rows gets the rows as they come; nothing may be concluded from absence before this
   *     method returns
   * @throws IncompleteListingException when the listing is not proven complete
   * @throws SourceException when the source does not answer as it should
   */
  public Listed list(String entityType, Instant from, Consumer<List<ListedRow>> rows) {
    return new Listing(pages(entityType), from).read(rows);
  }

  /** The source's clock, by the {@code Date} of its last answer; ours until one came. */
  public Instant now() {
    return http.now();
  }

  private Pages pages(String entityType) {
    EntityConfig type = type(entityType).config;
    SourceUrls urls = new SourceUrls(config.api().url());
    return new Pages(
        config.name(),
        type,
        offset -> retrying.call(() -> http.get(urls.list(type.list(), offset))));
  }

  private Type type(String name) {
    config.entity(name); // says which there are, where this is none
    return java.util.Objects.requireNonNull(types.get(name));
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

  @Override
  public void close() {
    http.close();
  }
}
