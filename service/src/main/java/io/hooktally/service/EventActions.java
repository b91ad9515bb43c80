package io.hooktally.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.source.EntityConfig;
import io.hooktally.reconcile.source.EntityMapping;
import io.hooktally.reconcile.source.EntityRef;
import io.hooktally.reconcile.source.InvalidEventException;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.source.TopicGlobs;
import io.hooktally.store.InvalidJsonException;
import io.hooktally.store.Json;
import io.hooktally.store.dispatch.Audit;
import io.hooktally.store.dispatch.AuditEntry;
import io.hooktally.store.dispatch.ConsumerRef;
import io.hooktally.store.dispatch.ConsumerState;
import io.hooktally.store.dispatch.Consumers;
import io.hooktally.store.dispatch.Parked;
import io.hooktally.store.dispatch.ParkedEvents;
import io.hooktally.store.dispatch.ParkedFilter;
import io.hooktally.store.dispatch.ReplaySpan;
import io.hooktally.store.dispatch.Replayed;
import io.hooktally.store.dispatch.Replays;
import io.hooktally.store.inbox.Conflict;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.inbox.Payload;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * What people do about events and consumers, on the command line, at the tasks and in the API
 * alike. A word that is wrong is an {@link IllegalArgumentException} naming it and its shape.
 */
public final class EventActions {
  /** The words of a replay. */
  public static final List<String> REPLAY =
      List.of("source", "from", "to", "topic", "entity", "id", "consumer");

  private final Map<String, SourceConfig> sources;
  private final ZoneId zone;
  private final ParkedEvents parked;
  private final Consumers consumers;
  private final Replays replays;
  private final Audit audit;
  private final Inbox inbox;

  /**
   * Over one database.
   *
   * @param zone in which dates begin
   * @param jdbi on connections that allow for long statements
   * @param instance this process, for the totals
   */
  public EventActions(Map<String, SourceConfig> sources, ZoneId zone, Jdbi jdbi, String instance) {
    this.sources = sources;
    this.zone = zone;
    this.parked = new ParkedEvents(jdbi, instance);
    this.consumers = new Consumers(jdbi);
    this.replays = new Replays(jdbi, instance);
    this.audit = new Audit(jdbi);
    this.inbox = new Inbox(jdbi, instance);
  }

  /** Over the configured sources, as this process. */
  public static EventActions of(HooktallyConfiguration configuration, Jdbi jdbi) {
    return new EventActions(
        configuration.sources(), configuration.reconcile().zone(), jdbi, Instance.name());
  }

  /** The words of one request. */
  public EventWords words(Function<String, @Nullable String> values) {
    return new EventWords(sources, zone, values);
  }

  /** Parked events with numbers greater than the word {@code after}, in the order of numbers. */
  public List<Parked> parked(EventWords words, int most) {
    return parked.list(words.filter(), words.number("after", 0), words.limit(most));
  }

  /**
   * A parked event, whole.
   *
   * @param payload what came with the event; null: it has been dropped
   * @param conflict the other body that the row is about; null: it is about the event itself
   */
  public record Whole(Parked event, @Nullable Payload payload, @Nullable Conflict conflict) {}

  /** The parked event with that number. */
  public Optional<Whole> show(long id) {
    return parked
        .find(id)
        .map(
            event ->
                new Whole(
                    event,
                    inbox.payload(event.consumer().source(), event.eventId()).orElse(null),
                    event.conflictId() > 0
                        ? inbox.conflict(event.conflictId()).orElse(null)
                        : null));
  }

  /**
   * Lets parked events be handed over again; see {@link ParkedEvents#retry}.
   *
   * @return how many
   */
  public int retry(EventWords words, String who) {
    ParkedFilter chosen = words.chosen();
    int retried = parked.retry(chosen, who);
    if (retried == 0) {
      throw none();
    }
    return retried;
  }

  /**
   * Gives parked events up for good; see {@link ParkedEvents#discard}.
   *
   * @return how many
   */
  public long discard(EventWords words, String who) {
    String reason = words.needed("reason", "why it is given up");
    long discarded = parked.discard(words.chosen(), who, reason);
    if (discarded == 0) {
      throw none();
    }
    return discarded;
  }

  /** How all consumers stand. */
  public List<ConsumerState> consumers() {
    return consumers.list();
  }

  /** Pauses a consumer; see {@link Consumers#pause}. */
  public ConsumerRef pause(EventWords words, String who) {
    ConsumerRef consumer = known(words);
    String reason = words.needed("reason", "why it is paused");
    if (!consumers.pause(consumer, who, reason)) {
      throw new IllegalArgumentException("consumer is paused already; list how they stand.");
    }
    return consumer;
  }

  /** Ends a consumer's pause; see {@link Consumers#resume}. */
  public ConsumerRef resume(EventWords words, String who) {
    ConsumerRef consumer = known(words);
    if (!consumers.resume(consumer, who)) {
      throw new IllegalArgumentException("consumer is not paused; list how they stand.");
    }
    return consumer;
  }

  /** Hands stored events over again; see {@link Replays#replay}. */
  public Replayed replay(EventWords words, String who) {
    SourceConfig source = words.source();
    Instant from = words.time("from");
    Instant to = words.time("to");
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException(
          "from must be before to; to is exclusive: for one day write that day and the next.");
    }
    String topic = words.text("topic");
    String consumer = words.text("consumer") == null ? null : known(words).name();
    ReplaySpan span =
        new ReplaySpan(
            source.name(),
            from,
            to,
            topic == null ? null : TopicGlobs.regex(List.of(topic)),
            consumer);
    Map<String, String> said = new LinkedHashMap<>();
    for (String word : REPLAY) {
      String text = words.text(word);
      if (text != null) {
        said.put(word, text);
      }
    }
    return replays.replay(span, test(source, topic, entity(source, words)), who, said);
  }

  /** What was done, before the entry with the number {@code before}; the newest first. */
  public List<AuditEntry> audit(EventWords words, int most) {
    return audit.list(words.number("before", Long.MAX_VALUE), words.limit(most));
  }

  private static @Nullable EntityRef entity(SourceConfig source, EventWords words) {
    String type = words.text("entity");
    String id = words.text("id");
    if (type == null && id == null) {
      return null;
    }
    Map<String, EntityConfig> types = source.entities();
    if (type == null || !types.containsKey(type)) {
      throw new IllegalArgumentException(
          "entity must be one of " + types.keySet() + (type == null ? "; it is missing." : "."));
    }
    return new EntityRef(type, words.needed("id", "the id of an entity"), false);
  }

  // Which entity an event is about, and a topic that no header named, stand in its body alone.
  private static ReplaySpan.@Nullable Test test(
      SourceConfig source, @Nullable String glob, @Nullable EntityRef entity) {
    EntityMapping mapping = new EntityMapping(source);
    if (entity == null && (glob == null || !mapping.readsTopics())) {
      return null;
    }
    TopicGlobs topics = new TopicGlobs(glob == null ? List.of("*") : List.of(glob));
    return (header, bodies) -> {
      try {
        JsonNode tree = Json.parse(bodies.event());
        String topic = mapping.topic(header, tree);
        if (glob != null && (topic == null || !topics.matches(topic))) {
          return false;
        }
        if (entity == null) {
          return true;
        }
        EntityRef ref = mapping.ref(header, tree);
        return ref.entityType().equals(entity.entityType())
            && ref.entityId().equals(entity.entityId());
      } catch (InvalidJsonException | InvalidEventException e) {
        // What cannot be read is about nothing.
        return false;
      }
    };
  }

  private ConsumerRef known(EventWords words) {
    ConsumerRef wanted = words.consumer();
    List<String> names =
        consumers.list().stream()
            .map(ConsumerState::consumer)
            .filter(each -> each.source().equals(wanted.source()))
            .map(ConsumerRef::name)
            .toList();
    if (!names.contains(wanted.name())) {
      throw new IllegalArgumentException("consumer must be one of " + names + ".");
    }
    return wanted;
  }

  private static IllegalArgumentException none() {
    return new IllegalArgumentException("id and the other words choose no parked event.");
  }
}
