package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where an entity's times stand. */
final class EntityTimes {
  private final Pointers modified;
  private final Pointers created;
  private final String format;
  private final TimeNotation notation;

  EntityTimes(EntityConfig config) {
    this.modified = new Pointers(config.modified());
    this.created = new Pointers(config.created());
    this.format = config.timeFormat();
    this.notation = TimeNotation.of(format);
  }

  /** Where it looks. */
  List<Pointers> pointers() {
    return List.of(modified, created);
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
    if (node.isMissingNode()) {
      return null;
    }
    // Without the value: it may be anything.
    return notation
        .read(node)
        .orElseThrow(
            () ->
                new InvalidEventException(
                    "a time was expected ("
                        + format
                        + "), and a "
                        + node.getNodeType().name().toLowerCase(Locale.ROOT)
                        + " of another form came"));
  }
}
