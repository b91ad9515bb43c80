package io.hooktally.service;

import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.source.TopicGlobs;
import io.hooktally.store.dispatch.ConsumerRef;
import io.hooktally.store.dispatch.Parked;
import io.hooktally.store.dispatch.ParkedFilter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What people say about events and consumers, in the same words on the command line, at the tasks
 * and in the API. Whatever cannot be understood is an {@link IllegalArgumentException} that names
 * the word and its shape.
 */
public final class EventWords {
  /** The words that choose parked events. */
  public static final List<String> FILTER =
      List.of("id", "source", "consumer", "kind", "key", "topic", "event", "error");

  private static final String NUMBERS = "\\d{1,18}(,\\d{1,18})*";

  private final Map<String, SourceConfig> sources;
  private final ZoneId zone;
  private final Function<String, @Nullable String> values;

  /**
   * Words of one request.
   *
   * @param zone in which dates begin
   * @param values answers null for a word that was not said
   */
  public EventWords(
      Map<String, SourceConfig> sources, ZoneId zone, Function<String, @Nullable String> values) {
    this.sources = sources;
    this.zone = zone;
    this.values = values;
  }

  /** Which parked events are to be listed; without words all of them. */
  public ParkedFilter filter() {
    String topic = text("topic");
    return new ParkedFilter(
        ids(),
        text("source"),
        text("consumer"),
        kind(),
        text("key"),
        topic == null ? null : TopicGlobs.regex(List.of(topic)),
        text("event"),
        text("error"));
  }

  /** Which parked events something is to be done to; all of them only where {@code all} says so. */
  ParkedFilter chosen() {
    String all = text("all");
    if (all != null && !all.matches("true|false")) {
      throw new IllegalArgumentException("all must be true or false.");
    }
    boolean some = FILTER.stream().anyMatch(word -> text(word) != null);
    if ("true".equals(all) == some) {
      throw new IllegalArgumentException(
          "all must be true where no other word chooses parked events, and only there: "
              + String.join(", ", FILTER)
              + ".");
    }
    return filter();
  }

  /** The consumer that these words name; where none is named, the replica. */
  ConsumerRef consumer() {
    return new ConsumerRef(
        Optional.ofNullable(text("consumer")).orElse(ConsumerRef.REPLICA), source().name());
  }

  /** The source that these words name. */
  SourceConfig source() {
    String name = text("source");
    SourceConfig config = name == null ? null : sources.get(name);
    if (config == null) {
      throw new IllegalArgumentException(
          "source must be one of " + sources.keySet() + (name == null ? "; it is missing." : "."));
    }
    return config;
  }

  /** A number of a row, such as of one parked event. */
  public long number(String word) {
    String text = text(word);
    if (text == null || !text.matches("\\d{1,18}")) {
      throw new IllegalArgumentException(word + " must be a number, such as 42.");
    }
    return Long.parseLong(text);
  }

  /** A number where one was said. */
  public long number(String word, long otherwise) {
    return text(word) == null ? otherwise : number(word);
  }

  /** How many rows are to be listed at most. */
  public int limit(int most) {
    long limit = number("limit", most);
    if (limit < 1 || limit > most) {
      throw new IllegalArgumentException("limit must be a number from 1 to " + most + ".");
    }
    return (int) limit;
  }

  /** An instant, or a date in the configured zone. */
  Instant time(String word) {
    return RunWindow.time(word, text(word), zone);
  }

  /** A word that must be there. */
  String needed(String word, String shape) {
    String text = text(word);
    if (text == null) {
      throw new IllegalArgumentException(word + " is missing; write " + shape + ".");
    }
    return text;
  }

  /** A word, if it was said. */
  @Nullable String text(String word) {
    String text = values.apply(word);
    if (text == null || text.isBlank()) {
      return null;
    }
    if (text.length() > 1000 || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          word + " must be one line of at most 1,000 characters, without control characters.");
    }
    return text.strip();
  }

  private @Nullable List<Long> ids() {
    String ids = text("id");
    if (ids == null) {
      return null;
    }
    if (!ids.matches(NUMBERS)) {
      throw new IllegalArgumentException(
          "id must be numbers of parked events, such as 42 or 42,43.");
    }
    return Stream.of(ids.split(",", -1)).map(Long::valueOf).toList();
  }

  private Parked.@Nullable Kind kind() {
    String kind = text("kind");
    if (kind == null) {
      return null;
    }
    return Arrays.stream(Parked.Kind.values())
        .filter(each -> each.text().equals(kind))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("kind must be poison or invalid."));
  }
}
