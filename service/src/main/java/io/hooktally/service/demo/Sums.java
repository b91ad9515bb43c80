package io.hooktally.service.demo;

import java.math.BigDecimal;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/**
 * What a report over the orders would say.
 *
 * @param orders how many
 * @param grandTotal their sum
 */
record Sums(long orders, BigDecimal grandTotal) {
  static Sums of(List<OrderState> orders) {
    return new Sums(
        orders.size(),
        orders.stream().map(OrderState::grandTotal).reduce(BigDecimal.ZERO, BigDecimal::add));
  }

  /** By SQL over the replica, as a reporting tool would ask. */
  static Sums ofReplica(Jdbi database, String source) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select count(*) as orders,
                           coalesce(sum((body ->> 'grand_total')::numeric), 0) as grand_total
                      from entity
                     where source = :source and entity_type = 'order' and not deleted
                    """)
                .bind("source", source)
                .map(
                    (row, context) ->
                        new Sums(row.getLong("orders"), row.getBigDecimal("grand_total")))
                .one());
  }
}
