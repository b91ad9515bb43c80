package io.hooktally.service.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Lives of orders: placed, acknowledged, paid, shipped, completed or cancelled; seeded. */
final class LifeCycle {
  /** Parts of the day; within one, changes come before the events that speak of them. */
  static final int WAVES = 8;

  private static final Duration WAVE = Duration.ofDays(1).dividedBy(WAVES);
  private static final List<String> CUSTOMERS =
      List.of("Ada Fischer", "Björn Sørensen", "Chloé Martin", "Dmytro Koval", "Eva Nováková");

  private final Instant day;
  private final Random random;

  LifeCycle(Instant day, Random random) {
    this.day = day;
    this.random = random;
  }

  /**
   * The steps of one order, at least two, in the order they happen, each in a wave of its own.
   *
   * @param number of the order, from 1
   */
  List<Step> live(int number) {
    int steps = 2 + random.nextInt(4);
    int wave = random.nextInt(WAVES - steps + 1);
    Instant at = within(wave);
    List<Step> life = new ArrayList<>();
    life.add(new Step(wave, at, "order.placed", placed(number, at)));
    boolean cancelled = random.nextInt(8) == 0;
    for (int i = 1; i < steps; i++) {
      wave++;
      boolean last = i == steps - 1;
      life.add(next(life.get(i - 1).after(), wave, within(wave), i, last, cancelled));
    }
    return life;
  }

  /**
   * A second change of an order within the same second: only its content tells it from the first.
   */
  Step again(Step step) {
    OrderState after =
        step.after()
            .changed(
                step.at(),
                order -> {
                  order.columns().put("on_hold", true);
                  order.columns().put("hold_reason", "address check");
                });
    return new Step(step.wave(), step.at(), "order.held", after);
  }

  private Step next(
      OrderState before, int wave, Instant at, int index, boolean last, boolean cancelled) {
    if (last && cancelled) {
      return step(wave, at, "order.cancelled", before, "cancelled", "cancelled_at");
    }
    if (last && index > 1) {
      return step(wave, at, "order.completed", before, "completed", "completed_at");
    }
    return switch (index) {
      case 1 -> step(wave, at, "order.acknowledged", before, "placed", "acknowledged_at");
      case 2 -> ship(before, wave, at);
      case 3 ->
          new Step(
              wave,
              at,
              "order.payment_status.changed",
              before.changed(at, order -> order.columns().put("payment_status", "paid")));
      default -> reprice(before, wave, at);
    };
  }

  private static Step step(
      int wave, Instant at, String topic, OrderState before, String status, String dated) {
    return new Step(
        wave,
        at,
        topic,
        before.changed(
            at,
            order -> {
              order.columns().put("status", status);
              order.columns().put(dated, at.toString());
            }));
  }

  private static Step ship(OrderState before, int wave, Instant at) {
    OrderState after =
        before.changed(
            at,
            order -> {
              order.columns().put("status", "in_fulfillment");
              order.columns().put("fulfillment_status", "partial");
              order
                  .shipments()
                  .addObject()
                  .put("carrier", "parcel")
                  .put("shipped_at", at.toString());
            });
    return new Step(wave, at, "order.shipment.created", after);
  }

  private Step reprice(OrderState before, int wave, Instant at) {
    BigDecimal less = money(1 + random.nextInt(4000));
    OrderState after =
        before.changed(
            at,
            order -> {
              ObjectNode columns = order.columns();
              columns.put("grand_total", before.grandTotal().subtract(less));
              columns.put("subtotal", columns.path("subtotal").decimalValue().subtract(less));
            });
    return new Step(wave, at, "order.updated", after);
  }

  private OrderState placed(int number, Instant at) {
    ObjectNode columns = OrderState.NODES.objectNode();
    ArrayNode positions = OrderState.NODES.arrayNode();
    BigDecimal subtotal = money(0);
    int items = 1 + random.nextInt(4);
    for (int i = 0; i < items; i++) {
      BigDecimal price = money(50_000 + random.nextInt(2_000_000));
      positions.addObject().put("sku", "SKU-" + random.nextInt(1000)).put("price", price);
      subtotal = subtotal.add(price);
    }
    BigDecimal shipping = money(49_000);
    BigDecimal tax = money(random.nextInt(100_000));
    String customer = CUSTOMERS.get(random.nextInt(CUSTOMERS.size()));
    columns.put("id", new UUID(random.nextLong(), random.nextLong()).toString());
    columns.put("number", "R-%05d".formatted(number));
    columns.put("currency", "EUR");
    columns.put("status", "placed");
    columns.put("payment_status", "open");
    columns.put("fulfillment_status", "unfulfilled");
    columns.put("on_hold", false);
    columns.putNull("hold_reason");
    columns.put("item_count", items);
    columns.put("subtotal", subtotal);
    columns.put("shipping_total", shipping);
    columns.put("tax_total", tax);
    columns.put("grand_total", subtotal.add(shipping).add(tax));
    columns.putObject("buyer").put("name", customer);
    columns.putNull("acknowledged_at");
    columns.put("placed_at", at.toString());
    columns.putNull("completed_at");
    columns.putNull("cancelled_at");
    columns.put("created_at", at.toString());
    columns.put("updated_at", at.toString());
    return new OrderState(columns, positions, OrderState.NODES.arrayNode());
  }

  /** Whole seconds, so that two changes may have the same time. */
  private Instant within(int wave) {
    return day.plus(WAVE.multipliedBy(wave)).plusSeconds(random.nextInt((int) WAVE.toSeconds()));
  }

  private static BigDecimal money(long tenThousandths) {
    return BigDecimal.valueOf(tenThousandths, 4);
  }
}
