package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One upstream platform.
 *
 * @param name taken from the key it stands under, see {@link #named}
 * @param signature how its deliveries are verified
 * @param event where its deliveries say what they are
 * @param api how its API is reached
 * @param lag how far its API may be behind its own webhooks; default 60 s
 * @param settle how long after a change it counts as quiet; default 2 min
 * @param entities its entity types by name
 */
public record SourceConfig(
    String name,
    SignatureConfig signature,
    EventConfig event,
    ApiConfig api,
    @JsonDeserialize(using = DurationReader.class) Duration lag,
    @JsonDeserialize(using = DurationReader.class) Duration settle,
    Map<String, EntityConfig> entities) {
  /** Fills in defaults. */
  public SourceConfig(
      @Nullable String name,
      @Nullable SignatureConfig signature,
      @Nullable EventConfig event,
      @Nullable ApiConfig api,
      @Nullable Duration lag,
      @Nullable Duration settle,
      @Nullable Map<String, EntityConfig> entities) {
    this.name = Defaults.text(name, "");
    this.signature =
        Objects.requireNonNullElse(signature, new SignatureConfig(null, null, null, null));
    this.event = Objects.requireNonNullElse(event, new EventConfig(null, null, null));
    this.api =
        Objects.requireNonNullElse(
            api, new ApiConfig(null, null, null, null, null, null, null, null, null, null, null));
    this.lag = Objects.requireNonNullElse(lag, Duration.ofSeconds(60));
    this.settle = Objects.requireNonNullElse(settle, Duration.ofMinutes(2));
    Map<String, EntityConfig> named = new LinkedHashMap<>();
    Defaults.map(entities).forEach((type, one) -> named.put(type, one.named(type)));
    this.entities = java.util.Collections.unmodifiableMap(named);
  }

  /** The same under the key it stands under in {@code sources}. */
  public SourceConfig named(String key) {
    return new SourceConfig(key, signature, event, api, lag, settle, entities);
  }

  /** The same with one attempt per request, for a caller that tries again by itself. */
  public SourceConfig withoutRetries() {
    return new SourceConfig(name, signature, event, api.withoutRetries(), lag, settle, entities);
  }

  /**
   * The entity type of that name.
   *
   * @throws IllegalArgumentException when there is none, naming those there are
   */
  public EntityConfig entity(String type) {
    EntityConfig found = entities.get(type);
    if (found == null) {
      throw new IllegalArgumentException(
          "source " + name + " has no entity type '" + type + "', only " + entities.keySet());
    }
    return found;
  }

  /** All that cannot work. */
  public List<Problem> problems() {
    String at = "sources." + name;
    Problems problems = new Problems(at);
    if (!name.matches("[a-z0-9][a-z0-9_-]{0,62}")) {
      problems.add("(name)", "'" + name + "'", "a name of a-z, 0-9, - and _", "Rename the source.");
    }
    problems.notNegative("lag", lag);
    problems.notNegative("settle", settle);
    if (entities.isEmpty()) {
      problems.add(
          "entities", "nothing", "at least one entity type", "Describe one, or use a preset.");
    }
    problems
        .with(signature.problems(at + ".signature"))
        .with(event.problems(at + ".event"))
        .with(api.problems(at + ".api"));
    if (event.missingId() == MissingId.HASH && api.url().isEmpty()) {
      problems.add(
          "event.missingId",
          "hash",
          "refuse, where there is no API",
          "Set api.url: the same body may come for another event, and only a read tells.");
    }
    entities.forEach((type, one) -> problems.with(one.problems(at + ".entities." + type)));
    return problems.found();
  }
}
