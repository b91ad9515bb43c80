package io.hooktally.store.dispatch;

import org.jdbi.v3.core.Jdbi;

/** The consumer table: for each row the inbox writes a dispatch row per event. Thread-safe. */
public final class Consumers {
  private final Jdbi jdbi;

  /** The consumers in the database of {@code jdbi}. */
  public Consumers(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Registers a consumer, or gives one already registered its present topics.
   *
   * @param topicPattern an anchored regular expression over topics, in PostgreSQL's dialect
   */
  public void register(ConsumerRef consumer, String topicPattern) {
    jdbi.useHandle(
        handle ->
            handle
                .createUpdate(
                    """
                    insert into consumer as known (name, source, topic_pattern)
                    values (:name, :source, :pattern)
                    on conflict (name, source) do update set topic_pattern = excluded.topic_pattern
                    where known.topic_pattern is distinct from excluded.topic_pattern
                    """)
                .bind("name", consumer.name())
                .bind("source", consumer.source())
                .bind("pattern", topicPattern)
                .execute());
  }
}
