package io.hooktally.store.run;

import java.math.BigDecimal;

/**
 * What one entity, or many, add to a sum.
 *
 * @param field the pointer of what is summed
 * @param by the pointer it is grouped by; blank where it is not
 * @param group the value at {@code by}; blank where there is none
 */
public record SumValue(String field, String by, String group, BigDecimal value) {}
