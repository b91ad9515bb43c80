package io.hooktally.reconcile.compare;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.SourceTime;
import io.hooktally.reconcile.source.TimeNotation;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether two values without parts are the same, whatever their notation. */
final class Scalars {
  private Scalars() {}

  static boolean same(FieldRules rules, JsonNode ours, JsonNode theirs) {
    if (ours.isContainerNode() || theirs.isContainerNode()) {
      return false;
    }
    return ours.equals(theirs)
        || sameNumber(rules.tolerance(), ours, theirs)
        || sameTime(rules.time(), ours, theirs);
  }

  private static boolean sameNumber(
      @Nullable BigDecimal tolerance, JsonNode ours, JsonNode theirs) {
    if (!ours.isNumber() || !theirs.isNumber()) {
      return false;
    }
    BigDecimal left = ours.decimalValue();
    BigDecimal right = theirs.decimalValue();
    // Subtracting numbers of far-apart exponents would write out all the digits between them.
    return left.compareTo(right) == 0
        || (tolerance != null
            && isPlain(left)
            && isPlain(right)
            && left.subtract(right).abs().compareTo(tolerance) <= 0);
  }

  private static boolean isPlain(BigDecimal value) {
    return Math.abs((long) value.scale()) <= 1000;
  }

  private static boolean sameTime(@Nullable TimeNotation notation, JsonNode ours, JsonNode theirs) {
    if (notation != null) {
      Optional<Instant> left = notation.read(ours);
      return left.isPresent() && left.equals(notation.read(theirs));
    }
    if (!ours.isTextual() || !theirs.isTextual()) {
      return false;
    }
    Optional<Instant> left = SourceTime.read(ours.textValue());
    return left.isPresent() && left.equals(SourceTime.read(theirs.textValue()));
  }
}
