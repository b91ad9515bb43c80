package io.hooktally.reconcile.source;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a delivery says what it is.
 *
 * @param idHeader carries the event id
 * @param topicHeader carries the topic; blank: deliveries have none
 * @param keepHeaders globs of the headers kept with the payload
 */
public record EventConfig(String idHeader, String topicHeader, List<String> keepHeaders) {
  /** Fills in defaults. */
  public EventConfig(
      @Nullable String idHeader, @Nullable String topicHeader, @Nullable List<String> keepHeaders) {
    this.idHeader = Defaults.text(idHeader, "");
    this.topicHeader = Defaults.text(topicHeader, "");
    this.keepHeaders =
        Defaults.list(keepHeaders, List.of("Content-Type", "Content-Encoding", "User-Agent"));
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    problems.header("idHeader", idHeader, true);
    problems.header("topicHeader", topicHeader, false);
    return problems.found();
  }
}
