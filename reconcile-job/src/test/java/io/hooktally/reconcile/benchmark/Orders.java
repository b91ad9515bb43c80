package io.hooktally.reconcile.benchmark;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * Orders by their place in the list, the newest first; the same in every process. A variant changes
 * one amount of every so-manieth order and leaves its time as it is.
 *
 * @param every which orders differ from variant 0; 0: none
 * @param variant 0: as the replica has them
 */
record Orders(int every, int variant) {
  private static final Instant NEWEST = Instant.parse("2026-05-10T00:00:00Z");
  private static final long STEP_MILLIS = 80;

  /** The modified time of an order. */
  static Instant modified(long place) {
    return NEWEST.minusMillis(place * STEP_MILLIS).plusNanos(137_000);
  }

  /** The window that holds the first {@code count} orders. */
  static Instant from(long count) {
    return modified(count).plus(1, ChronoUnit.MILLIS);
  }

  static Instant to() {
    return NEWEST.plusSeconds(60);
  }

  static String id(long place) {
    long mixed = (place + 1) * 0x9E3779B97F4A7C15L;
    return new UUID(mixed ^ (mixed >>> 29), place).toString();
  }

  static long place(String id) {
    return UUID.fromString(id).getLeastSignificantBits();
  }

  /** A row as the list shows it, about a kilobyte, without the closing brace. */
  void row(long place, StringBuilder out) {
    String time = modified(place).toString();
    boolean changed = every > 0 && place % every == every / 2;
    out.append("{\"id\":\"").append(id(place));
    out.append("\",\"number\":\"SO-").append(1_000_000 + place);
    out.append("\",\"customer_order_number\":\"PO/2026/").append(place);
    out.append("\",\"external_ref\":null,\"acknowledged_at\":null,\"cart_id\":\"c-").append(place);
    out.append("\",\"contact_id\":\"7f9c1e0a-55aa-4c1b-9d3e-").append(100_000_000_000L + place);
    out.append("\",\"organization_id\":\"org-").append(place % 977);
    out.append("\",\"channel_id\":\"web\",\"market_id\":\"de\",\"currency\":\"");
    out.append(place % 5 == 0 ? "USD" : "EUR");
    out.append("\",\"status\":\"in_fulfillment\",\"payment_status\":\"paid\"");
    out.append(",\"fulfillment_status\":\"partial\",\"on_hold\":false,\"hold_reason\":null");
    out.append(",\"item_count\":").append(1 + place % 9);
    out.append(",\"subtotal\":").append(place % 900 + 10).append(".5000");
    out.append(",\"shipping_total\":4.9000,\"tax_total\":").append(place % 150).append(".1900");
    out.append(",\"grand_total\":").append(place % 1050 + 15).append('.');
    out.append(changed ? 1000 + variant : 5900);
    out.append(",\"placed_at\":\"").append(time).append("\",\"completed_at\":null");
    out.append(",\"cancelled_at\":null,\"created_at\":\"").append(time);
    out.append("\",\"updated_at\":\"").append(time);
    out.append("\",\"buyer\":{\"name\":\"Buyer ").append(place);
    out.append("\",\"email\":\"buyer").append(place).append("@example.com\",\"locale\":\"de-DE\"}");
    out.append(",\"billing_address\":").append(ADDRESS);
    out.append(",\"shipping_address\":").append(ADDRESS);
    out.append(",\"payment\":{\"method\":\"invoice\",\"terms\":30}");
    out.append(",\"shipping\":{\"method\":\"parcel\",\"carrier\":\"dhl\"}");
    out.append(",\"user_data\":{},\"metadata\":{\"tags\":[\"b2b\",\"spring\"]}");
  }

  /** An order as a single read shows it. */
  void whole(long place, StringBuilder out) {
    row(place, out);
    out.append(",\"positions\":[{\"sku\":\"A-").append(place % 5000);
    out.append("\",\"quantity\":2,\"price\":12.2500},{\"sku\":\"B-").append(place % 700);
    out.append("\",\"quantity\":1,\"price\":7.9900}],\"shipments\":[],\"returns\":[]}");
  }

  private static final String ADDRESS =
      "{\"company\":\"Muster GmbH\",\"street\":\"Lange Stra\u00dfe 12\",\"zip\":\"10115\","
          + "\"city\":\"Berlin\",\"country\":\"DE\"}";
}
