package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.SumConfig;
import io.hooktally.store.run.SumValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the configured fields of rows on which both sides agree, in decimals and without
 * rounding. At most 1,000 groups per sum are told apart; further ones are summed under {@code …}.
 * Not thread-safe.
 */
public final class SumTotals {
  /** The group of rows whose own group is one too many. */
  static final String OTHERS = "…";

  private static final int MOST_GROUPS = 1000;
  private static final int MOST_DIGITS = 100;
  private static final int LONGEST_GROUP = 200;

  private record Sum(SumConfig config, JsonPointer field, @Nullable JsonPointer by) {}

  private final List<Sum> sums;
  private final List<Map<String, BigDecimal>> totals;

  /** Of nothing yet. */
  public SumTotals(List<SumConfig> configured) {
    this.sums =
        configured.stream()
            .map(
                config ->
                    new Sum(
                        config,
                        JsonPointer.compile(config.field()),
                        config.by().isEmpty() ? null : JsonPointer.compile(config.by())))
            .toList();
    this.totals = new ArrayList<>();
    sums.forEach(sum -> totals.add(new HashMap<>()));
  }

  /** Whether nothing is to be summed up, so that nobody needs to look. */
  public boolean isEmpty() {
    return sums.isEmpty();
  }

  /** Adds a row that is the same on both sides; what is no number adds nothing. */
  public void add(JsonNode row) {
    for (int i = 0; i < sums.size(); i++) {
      Sum sum = sums.get(i);
      BigDecimal value = number(row.at(sum.field));
      if (value != null) {
        Map<String, BigDecimal> groups = totals.get(i);
        String group = group(sum, row);
        boolean fits = groups.containsKey(group) || groups.size() < MOST_GROUPS;
        groups.merge(fits ? group : OTHERS, value, BigDecimal::add);
      }
    }
  }

  /** What has been added so far. */
  public List<SumValue> values() {
    List<SumValue> values = new ArrayList<>();
    for (int i = 0; i < sums.size(); i++) {
      SumConfig config = sums.get(i).config;
      totals
          .get(i)
          .forEach(
              (group, total) ->
                  values.add(new SumValue(config.field(), config.by(), group, total)));
    }
    return values;
  }

  /** What one state of an entity adds; nothing where there is none. */
  public List<SumValue> of(@Nullable JsonNode body) {
    if (body == null) {
      return List.of();
    }
    return sums.stream()
        .flatMap(
            sum ->
                Optional.ofNullable(number(body.at(sum.field)))
                    .map(
                        value ->
                            new SumValue(
                                sum.config.field(), sum.config.by(), group(sum, body), value))
                    .stream())
        .toList();
  }

  private static String group(Sum sum, JsonNode row) {
    if (sum.by == null) {
      return "";
    }
    JsonNode value = row.at(sum.by);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    String text = value.isValueNode() ? value.asText() : value.toString();
    String whole = text.replace('\u0000', '\uFFFD');
    return whole.length() <= LONGEST_GROUP ? whole : whole.substring(0, LONGEST_GROUP) + OTHERS;
  }

  // Amounts may be written as text; a number of gigabytes, which a few bytes can name, is left out.
  private static @Nullable BigDecimal number(JsonNode node) {
    BigDecimal value = null;
    if (node.isNumber()) {
      value = node.decimalValue();
    } else if (node.isTextual() && node.textValue().matches("-?\\d{1,60}(\\.\\d{1,30})?")) {
      value = new BigDecimal(node.textValue());
    }
    return value == null
            || value.precision() > MOST_DIGITS
            || Math.abs((long) value.scale()) > MOST_DIGITS
        ? null
        : value;
  }
}
