package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where an entity's times stand. */
final class EntityTimes {
  private final Pointers modified;
  private final Pointers created;
  private final TimeFormat format;

  EntityTimes(EntityConfig config) {
    this.modified = new Pointers(config.modified());
    this.created = new Pointers(config.created());
    this.format = config.timeFormat();
  }

  /** Of an entity as the API shows it: modified, else created, else nothing. */
  @Nullable Instant ofEntity(JsonNode entity) {
    JsonNode time = modified.find(entity);
    return time(time.isMissingNode() ? created.find(entity) : time);
  }

  /** When it was created, or nothing where it does not say. */
  @Nullable Instant created(JsonNode entity) {
    return time(created.find(entity));
  }

  /** As {@link EntityMapping#modified}. */
  @Nullable Instant ofDelivery(JsonNode entity) {
    JsonNode time = modified.find(entity);
    boolean leftOut = modified.find(entity, JsonNode::isNull).isMissingNode();
    return time(time.isMissingNode() && !leftOut ? created.find(entity) : time);
  }

  private @Nullable Instant time(JsonNode node) {
    return node.isMissingNode() ? null : SourceTime.parse(node, format);
  }
}
