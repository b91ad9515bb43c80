package io.hooktally.service.receive;

import java.util.List;
import java.util.Optional;

/** The headers of a request. */
@FunctionalInterface
interface SentHeaders {
  /** Every value of a header, in the order they came; its name in any case. */
  List<String> values(String name);

  /** The value of a header that came exactly once. */
  default Optional<String> only(String name) {
    List<String> values = values(name);
    return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
  }
}
