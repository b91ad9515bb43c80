package io.hooktally.store.dispatch;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which parked events; what is null says nothing.
 *
 * @param ids these rows only
 * @param source of this source
 * @param consumer of consumers with this name
 * @param kind parked for this reason
 * @param key with this ordering key
 * @param topicPattern whose topic matches this anchored regular expression of PostgreSQL's
 * @param eventId with this event id
 * @param error whose error has this text in it
 */
public record ParkedFilter(
    @Nullable List<Long> ids,
    @Nullable String source,
    @Nullable String consumer,
    Parked.@Nullable Kind kind,
    @Nullable String key,
    @Nullable String topicPattern,
    @Nullable String eventId,
    @Nullable String error) {
  /** All of them. */
  public static final ParkedFilter ALL =
      new ParkedFilter(null, null, null, null, null, null, null, null);

  /** Those of one consumer. */
  public static ParkedFilter of(ConsumerRef consumer) {
    return new ParkedFilter(null, consumer.source(), consumer.name(), null, null, null, null, null);
  }

  /** One row. */
  public static ParkedFilter of(long id) {
    return new ParkedFilter(List.of(id), null, null, null, null, null, null, null);
  }

  Optional<String> kindText() {
    return Optional.ofNullable(kind).map(Parked.Kind::text);
  }
}
