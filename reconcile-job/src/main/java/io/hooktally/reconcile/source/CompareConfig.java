package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison looks at.
 *
 * @param ignore pointers whose values may differ; all below them too
 */
public record CompareConfig(
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> ignore) {
  /** Fills in defaults. */
  public CompareConfig(@Nullable List<String> ignore) {
    this.ignore = Defaults.list(ignore, List.of());
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    problems.pointers("ignore", ignore, false);
    return problems.found();
  }
}
