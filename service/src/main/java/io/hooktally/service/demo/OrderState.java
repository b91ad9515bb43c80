package io.hooktally.service.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * An order as the platform has it at one moment. Treated as immutable: a change makes a new one.
 *
 * @param columns what the list carries
 * @param positions only in the single read
 * @param shipments only in the single read
 */
record OrderState(ObjectNode columns, ArrayNode positions, ArrayNode shipments) {
  /** Keeps the four decimals of money. */
  static final JsonNodeFactory NODES = new JsonNodeFactory(true);

  String id() {
    return columns.path("id").asText();
  }

  Instant updatedAt() {
    return Instant.parse(columns.path("updated_at").asText());
  }

  BigDecimal grandTotal() {
    return columns.path("grand_total").decimalValue();
  }

  /** As a row of the list: without positions and shipments. */
  ObjectNode listRow() {
    return columns.deepCopy();
  }

  /** As the single read answers it. */
  ObjectNode aggregate() {
    ObjectNode whole = columns.deepCopy();
    whole.set("positions", positions.deepCopy());
    whole.set("shipments", shipments.deepCopy());
    return whole;
  }

  /** The same order after a change at that time. */
  OrderState changed(Instant at, Consumer<OrderState> change) {
    OrderState after =
        new OrderState(columns.deepCopy(), positions.deepCopy(), shipments.deepCopy());
    after.columns.put("updated_at", at.toString());
    change.accept(after);
    return after;
  }
}
