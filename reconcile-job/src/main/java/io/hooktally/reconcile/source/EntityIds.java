package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * The text form of an entity's id: a string as it is, an integer by its digits, so that {@code 17}
 * and {@code "17"} are one entity.
 */
public final class EntityIds {
  private static final int LONGEST = 255;

  private EntityIds() {}

  /** Nothing when the node is no id at all: missing, blank, a fraction, an object. */
  public static @Nullable String text(JsonNode node) {
    if (node.isTextual() && !node.textValue().isBlank()) {
      return node.textValue();
    }
    return node.isIntegralNumber() ? node.bigIntegerValue().toString() : null;
  }

  /**
   * Whether the text can be an id: 1 to 255 characters, no control characters, no half surrogates.
   */
  public static boolean isValid(String id) {
    // By hand: it is asked of every row of a list.
    int characters = 0;
    for (int i = 0; i < id.length(); i++, characters++) {
      char c = id.charAt(i);
      if (Character.isISOControl(c)) {
        return false;
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < id.length()
                && Character.isLowSurrogate(id.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return characters <= LONGEST && !id.isBlank();
  }
}
