package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what an event speaks of, as the source's configuration says. Pure and thread-safe. */
public final class EntityMapping {
  private record Type(
      EntityConfig config,
      TopicGlobs topics,
      TopicGlobs deletes,
      Pointers id,
      Pointers entity,
      EntityTimes times) {
    static Type of(EntityConfig config) {
      return new Type(
          config,
          new TopicGlobs(config.topics()),
          new TopicGlobs(config.deleteTopics()),
          new Pointers(config.id()),
          new Pointers(config.entity()),
          new EntityTimes(config));
    }
  }

  private final String source;
  private final Pointers topics;
  private final Map<String, Type> types = new LinkedHashMap<>();

  /** Of a source whose configuration has no problems. */
  public EntityMapping(SourceConfig config) {
    this.source = config.name();
    this.topics = new Pointers(config.event().topic());
    config.entities().forEach((name, entity) -> types.put(name, Type.of(entity)));
  }

  /**
   * The entity type that takes the topic; deliveries without a topic only fit the glob {@code *}.
   */
  public Optional<EntityConfig> typeOf(@Nullable String topic) {
    return type(topic).map(Type::config);
  }

  /**
   * The topic of a delivery: its header's, or where that has none, the text in the body that is
   * configured as such.
   */
  public @Nullable String topic(@Nullable String header, JsonNode body) {
    return header == null ? topics.find(body, JsonNode::isTextual).textValue() : header;
  }

  /** Whether topics may stand in bodies, where only who reads them finds out. */
  public boolean readsTopics() {
    return !topics.isEmpty();
  }

  /** Whether the topic says that an entity was deleted. */
  public boolean isDelete(@Nullable String topic) {
    return topic != null && type(topic).map(type -> type.deletes.matches(topic)).orElse(false);
  }

  /** All topics of all types, as an anchored regular expression for PostgreSQL. */
  public String topicRegex() {
    List<String> globs = new ArrayList<>();
    types.values().stream()
        .map(Type::config)
        .flatMap(type -> Stream.concat(type.topics().stream(), type.deleteTopics().stream()))
        .forEach(globs::add);
    return TopicGlobs.regex(globs);
  }

  /**
   * The entity a delivery speaks of.
   *
   * @param header the topic by its header; null: none came
   * @throws InvalidEventException when no type takes the topic, or the body has no usable id
   */
  public EntityRef ref(@Nullable String header, JsonNode body) {
    String topic = topic(header, body);
    Type type =
        type(topic)
            .orElseThrow(
                () ->
                    new InvalidEventException(
                        "no entity type of source " + source + " takes this topic"));
    JsonNode found = type.id.find(body, node -> EntityIds.text(node) != null);
    String id = EntityIds.text(found);
    if (id == null) {
      throw new InvalidEventException("no id of " + type.config.type() + " at any of " + type.id);
    }
    if (!EntityIds.isValid(id)) {
      throw new InvalidEventException(
          "the id of " + type.config.type() + " is too long or has control characters");
    }
    return new EntityRef(type.config.type(), id, topic != null && type.deletes.matches(topic));
  }

  /**
   * The modified time of an entity that came in a delivery. Its created time, where the modified
   * time is there and null; nothing where it is left out, since the delivery may carry only a part.
   *
   * @throws InvalidEventException when what is there is no time
   */
  public @Nullable Instant modified(EntityConfig config, JsonNode entity) {
    return known(config).times.ofDelivery(entity);
  }

  /**
   * The entity in a delivery's body, for {@link ApplyMode#PAYLOAD}.
   *
   * @throws InvalidEventException when there is no object
   */
  public JsonNode entity(EntityConfig config, JsonNode body) {
    Type type = known(config);
    JsonNode entity = type.entity.find(body, JsonNode::isObject);
    if (entity.isMissingNode()) {
      throw new InvalidEventException(
          "no object at any of " + type.entity + " for " + config.type());
    }
    return entity;
  }

  private Type known(EntityConfig config) {
    Type type = types.get(config.type());
    return type == null ? Type.of(config) : type;
  }

  private Optional<Type> type(@Nullable String topic) {
    String name = topic == null ? "" : topic;
    return types.values().stream()
        .filter(type -> type.topics.matches(name) || type.deletes.matches(name))
        .findFirst();
  }
}
