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
    return !id.isBlank()
        && id.codePointCount(0, id.length()) <= LONGEST
        && id.codePoints()
            .noneMatch(c -> Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF));
  }
}
