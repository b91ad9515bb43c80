package io.hooktally.store.dispatch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.store.Json;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** The consumer table: for each row the inbox writes a dispatch row per event. Thread-safe. */
public final class Consumers {
  private final Jdbi jdbi;

  /** The consumers in the database of {@code jdbi}. */
  public Consumers(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Registers a consumer, or gives one already registered its present topics. A parked event holds
   * its key, but for the replica: there the version rule makes a later event harmless.
   *
   * @param topicPattern an anchored regular expression over topics, in PostgreSQL's dialect
   */
  public void register(ConsumerRef consumer, String topicPattern) {
    register(consumer, topicPattern, !consumer.name().equals(ConsumerRef.REPLICA));
  }

  /**
   * The same, saying whether a parked event holds its key.
   *
   * @param holdKey whether later events of a key wait while one of it is parked
   */
  public void register(ConsumerRef consumer, String topicPattern, boolean holdKey) {
    jdbi.useHandle(handle -> ConsumerRows.register(handle, consumer, topicPattern, holdKey));
  }

  /** How all of them stand, by source and name. */
  public List<ConsumerState> list() {
    return jdbi.withHandle(ConsumerRows::list);
  }

  /**
   * Stops handing events over to it, on every instance; what is being handed over now is finished.
   * On record.
   *
   * @return false where there is no such consumer, or it is paused already
   */
  public boolean pause(ConsumerRef consumer, String who, String reason) {
    return jdbi.inTransaction(
        handle -> {
          boolean paused = ConsumerRows.pause(handle, consumer, who, reason);
          if (paused) {
            ObjectNode detail = Json.mapper().createObjectNode().put("reason", reason);
            AuditRows.add(handle, who, "pause", consumer.toString(), detail);
          }
          return paused;
        });
  }

  /**
   * Goes on handing events over to it. On record.
   *
   * @return false where there is no such consumer, or it is not paused
   */
  public boolean resume(ConsumerRef consumer, String who) {
    return jdbi.inTransaction(
        handle -> {
          boolean resumed = ConsumerRows.resume(handle, consumer);
          if (resumed) {
            ObjectNode detail = Json.mapper().createObjectNode();
            AuditRows.add(handle, who, "resume", consumer.toString(), detail);
          }
          return resumed;
        });
  }
}
