package io.hooktally.service.dispatch;

import io.hooktally.reconcile.source.EntityMapping;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.store.Leases;
import io.hooktally.store.alert.AlertKind;
import io.hooktally.store.alert.Alerts;
import io.hooktally.store.dispatch.ConsumerRef;
import io.hooktally.store.dispatch.Consumers;
import io.hooktally.store.dispatch.DispatchQueue;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jdbi.v3.core.Jdbi;

/** Builds dispatchers. */
public final class Dispatchers {
  private Dispatchers() {}

  /**
   * Registers the replica as a consumer of the source and builds its dispatcher, not yet started.
   *
   * @param client reads the source; should not retry by itself, since the dispatcher does
   * @param instance this process; unique among running ones
   * @param random for the jitter of retries
   */
  public static Dispatcher forReplica(
      SourceConfig source,
      SourceClient client,
      Jdbi jdbi,
      String instance,
      InstantSource clock,
      RandomGenerator random) {
    return forReplica(source, client, jdbi, instance, Retries.DEFAULT, clock, random);
  }

  static Dispatcher forReplica(
      SourceConfig source,
      SourceClient client,
      Jdbi jdbi,
      String instance,
      Retries retries,
      InstantSource clock,
      RandomGenerator random) {
    EntityMapping mapping = new EntityMapping(source);
    ConsumerRef consumer = ConsumerRef.replica(source.name());
    new Consumers(jdbi).register(consumer, mapping.topicRegex());
    DispatchQueue queue = new DispatchQueue(jdbi, consumer, instance);
    OutageGate gate = new OutageGate(outage -> alert(jdbi, source, outage));
    ReplicaConsumer replica = new ReplicaConsumer(source, mapping, client, jdbi, queue, clock);
    Handover handover = new Handover(queue, replica, client, gate, retries, clock, random);
    String entityType = source.entities().keySet().iterator().next();
    return new Dispatcher(
        queue,
        new Keyer(queue, mapping, new Leases(jdbi), instance, clock),
        handover,
        gate,
        () -> client.probe(entityType),
        clock);
  }

  private static void alert(Jdbi jdbi, SourceConfig source, OutageGate.Outage outage) {
    String text =
        "Events of source %s wait since %s and are not applied: %s. Nothing is lost; they are handed over once the source answers."
            .formatted(source.name(), outage.since(), outage.reason());
    jdbi.useTransaction(
        handle ->
            new Alerts(jdbi)
                .add(handle, AlertKind.SOURCE_UNREACHABLE, source.name(), "", null, text));
  }
}
