package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One entity type of a source. All pointers are tried in order; the first that finds something
 * counts.
 *
 * @param type its name; taken from the key it stands under
 * @param topics globs of the topics that speak of it; {@code *} is any run of characters
 * @param deleteTopics globs of the topics that say it was deleted
 * @param apply default {@code reread}
 * @param id pointers to the entity's id in a delivery's body
 * @param entity pointers to the entity in a delivery's body, for {@code apply: payload}
 * @param modified pointers to the modified time, inside the entity
 * @param created pointers to the created time, inside the entity
 * @param timeFormat how the modified and the created time are written: see {@link TimeNotation}
 * @param list how it is listed
 * @param read how one is read
 * @param compare what is compared
 * @param unannounced pointers that may change without an event: fixed and counted apart, no alert
 * @param sums what a run sums up on both sides
 * @param feed default {@code events} where topics are configured, else {@code poll}
 * @param maxFixShare more disagreements than this share of the listed rows wait for a person
 */
public record EntityConfig(
    String type,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> topics,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> deleteTopics,
    ApplyMode apply,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> id,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> entity,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> modified,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> created,
    String timeFormat,
    ListConfig list,
    ReadConfig read,
    CompareConfig compare,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> unannounced,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<SumConfig> sums,
    Feed feed,
    Double maxFixShare) {
  /** Fills in defaults. */
  public EntityConfig(
      @Nullable String type,
      @Nullable List<String> topics,
      @Nullable List<String> deleteTopics,
      @Nullable ApplyMode apply,
      @Nullable List<String> id,
      @Nullable List<String> entity,
      @Nullable List<String> modified,
      @Nullable List<String> created,
      @Nullable String timeFormat,
      @Nullable ListConfig list,
      @Nullable ReadConfig read,
      @Nullable CompareConfig compare,
      @Nullable List<String> unannounced,
      @Nullable List<SumConfig> sums,
      @Nullable Feed feed,
      @Nullable Double maxFixShare) {
    this.type = Defaults.text(type, "");
    this.topics = Defaults.list(topics, List.of());
    this.deleteTopics = Defaults.list(deleteTopics, List.of());
    this.apply = Objects.requireNonNullElse(apply, ApplyMode.REREAD);
    this.id = Defaults.list(id, List.of("/id"));
    this.entity = Defaults.list(entity, List.of(""));
    this.modified = Defaults.list(modified, List.of("/updated_at"));
    this.created = Defaults.list(created, List.of("/created_at"));
    this.timeFormat = Objects.requireNonNullElse(timeFormat, "iso");
    this.list = list == null ? ListConfig.byDefault() : list;
    this.read = Objects.requireNonNullElse(read, new ReadConfig(null, null, null, null));
    this.compare = Objects.requireNonNullElse(compare, CompareConfig.defaults());
    this.unannounced = Defaults.list(unannounced, List.of());
    this.sums = Defaults.list(sums, List.of());
    this.feed =
        Objects.requireNonNullElse(
            feed, this.topics.isEmpty() && this.deleteTopics.isEmpty() ? Feed.POLL : Feed.EVENTS);
    this.maxFixShare = Objects.requireNonNullElse(maxFixShare, 0.5);
  }

  EntityConfig named(String name) {
    return new EntityConfig(
        name,
        topics,
        deleteTopics,
        apply,
        id,
        entity,
        modified,
        created,
        timeFormat,
        list,
        read,
        compare,
        unannounced,
        sums,
        feed,
        maxFixShare);
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    if (!type.matches("[a-z0-9][a-z0-9_-]{0,62}")) {
      problems.add(
          "(name)", "'" + type + "'", "a name of a-z, 0-9, - and _", "Rename the entity type.");
    }
    problems.pointers("id", id, true);
    problems.pointers("entity", entity, true);
    problems.pointers("modified", modified, true);
    problems.pointers("created", created, false);
    if (!TimeNotation.isKnown(timeFormat)) {
      problems.add(
          "timeFormat",
          "'" + timeFormat + "'",
          "iso, epoch_seconds, epoch_millis, epoch_micros, or a pattern",
          "Write for example epoch_millis.");
    }
    problems.between("maxFixShare", maxFixShare, 0, 1);
    if (feed == Feed.EVENTS && topics.isEmpty() && deleteTopics.isEmpty()) {
      problems.add(
          "topics", "nothing", "globs such as order.*", "Name the topics, or set feed: poll.");
    }
    problems.pointers("unannounced", unannounced, false);
    for (int i = 0; i < sums.size(); i++) {
      problems.with(sums.get(i).problems(at + ".sums[" + i + "]", compare));
    }
    return problems
        .with(list.problems(at + ".list"))
        .with(read.problems(at + ".read"))
        .with(compare.problems(at + ".compare"))
        .found();
  }
}
