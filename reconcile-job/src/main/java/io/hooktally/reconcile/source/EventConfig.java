package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a delivery says what it is.
 *
 * @param idHeader carries the event id
 * @param id pointers to the event id in the body, where no header carries it
 * @param topicHeader carries the topic; blank: no header does
 * @param topic pointers to the topic in the body, where no header carries it
 * @param missingId what becomes of a delivery without an id; default: it is refused
 * @param keepHeaders globs of the headers kept with the payload
 */
public record EventConfig(
    String idHeader,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> id,
    String topicHeader,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> topic,
    MissingId missingId,
    List<String> keepHeaders) {
  /** Fills in defaults. */
  @JsonCreator
  public EventConfig(
      @Nullable String idHeader,
      @Nullable List<String> id,
      @Nullable String topicHeader,
      @Nullable List<String> topic,
      @Nullable MissingId missingId,
      @Nullable List<String> keepHeaders) {
    this.id = Defaults.list(id, List.of());
    this.topic = Defaults.list(topic, List.of());
    this.idHeader = Defaults.text(idHeader, "");
    this.topicHeader = Defaults.text(topicHeader, "");
    this.missingId = Objects.requireNonNullElse(missingId, MissingId.REFUSE);
    this.keepHeaders =
        Defaults.list(keepHeaders, List.of("Content-Type", "Content-Encoding", "User-Agent"));
  }

  /** With id and topic in headers. */
  public EventConfig(
      @Nullable String idHeader, @Nullable String topicHeader, @Nullable List<String> keepHeaders) {
    this(idHeader, null, topicHeader, null, null, keepHeaders);
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    problems.header("idHeader", idHeader, id.isEmpty() && missingId == MissingId.REFUSE);
    problems.pointers("id", id, false);
    problems.pointers("topic", topic, false);
    problems.header("topicHeader", topicHeader, false);
    return problems.found();
  }
}
