package io.hooktally.reconcile.source;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an absent key of the configuration becomes. */
final class Defaults {
  private Defaults() {}

  static String text(@Nullable String value, String otherwise) {
    return value == null ? otherwise : value.strip();
  }

  static <T> List<T> list(@Nullable List<T> value, List<T> otherwise) {
    return value == null ? otherwise : value.stream().filter(Objects::nonNull).toList();
  }

  static <T> Map<String, T> map(@Nullable Map<String, T> value) {
    Map<String, T> kept = new LinkedHashMap<>();
    if (value != null) {
      value.forEach(
          (key, one) -> {
            if (key != null && one != null) {
              kept.put(key, one);
            }
          });
    }
    return java.util.Collections.unmodifiableMap(kept);
  }
}
