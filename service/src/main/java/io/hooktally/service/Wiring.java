package io.hooktally.service;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.Managed;
import io.dropwizard.lifecycle.setup.LifecycleEnvironment;
import io.hooktally.reconcile.Pause;
import io.hooktally.reconcile.source.Priority;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.service.alert.AlertSender;
import io.hooktally.service.dispatch.Dispatcher;
import io.hooktally.service.dispatch.Dispatchers;
import io.hooktally.service.health.DatabaseCheck;
import io.hooktally.service.health.DispatcherCheck;
import io.hooktally.service.receive.ReceiveLimits;
import io.hooktally.service.receive.Receiver;
import io.hooktally.store.alert.Alerts;
import io.hooktally.store.inbox.Inbox;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * Puts the service together. What is managed first is stopped last: the receiver stops accepting,
 * commits and answers before the dispatchers stop, then the runs, the pools, and the embedded
 * PostgreSQL at the very end.
 */
final class Wiring {
  private final HooktallyConfiguration configuration;
  private final Environment environment;
  private final InstantSource clock;
  private final String instance = Instance.name();

  Wiring(HooktallyConfiguration configuration, Environment environment, InstantSource clock) {
    this.configuration = configuration;
    this.environment = environment;
    this.clock = clock;
  }

  /** Opens the database and wires everything to the environment's life cycle. */
  Pieces wire() {
    Storage storage = Storage.open(configuration.database());
    try {
      return wire(storage);
    } catch (RuntimeException e) {
      // Nothing is managed yet that would close it.
      storage.close();
      throw e;
    }
  }

  private Pieces wire(Storage storage) {
    LifecycleEnvironment lifecycle = environment.lifecycle();
    Map<String, Dispatcher> dispatchers = new LinkedHashMap<>();
    lifecycle.manage(new Closing(storage));
    lifecycle.manage(
        new AlertSender(new Alerts(storage.work()), configuration.alerts().webhookUrl(), clock));
    Reconciling reconciling =
        Reconciling.of(configuration, storage.work(), clock, Pause.sleeping());
    lifecycle.manage(new Closing(reconciling));
    DailySchedule.register(
        configuration, environment, storage, reconciling.reconciler(), clock, instance);
    environment.healthChecks().register("database", new DatabaseCheck(storage.inbox()));
    for (SourceConfig source : configuration.sources().values()) {
      // The dispatcher tries again by itself.
      SourceClient impatient = reconciling.client(source.name()).as(Priority.LIVE).withoutRetries();
      Dispatcher dispatcher =
          Dispatchers.forReplica(source, impatient, storage.work(), instance, clock, new Random());
      dispatchers.put(source.name(), dispatcher);
      lifecycle.manage(started(dispatcher));
      environment
          .healthChecks()
          .register("dispatch-" + source.name(), new DispatcherCheck(dispatcher));
    }
    Pieces pieces = new Pieces(storage, dispatchers, reconciling.reconciler(), clock);
    AdminPort.open(configuration, environment, pieces);
    // Before what the runs need, and before the threads that do them.
    lifecycle.manage(new Closing(reconciling.reconciler()::stop));
    // Last: it is stopped first.
    Receiver.register(
        environment,
        configuration.sources().values(),
        new ReceiveLimits(
            (int) configuration.receive().maxBodySize().bytes(),
            configuration.receive().queueBytes().bytes(),
            configuration.receive().keepPayloads()),
        new Inbox(storage.inbox(), instance),
        storage.work(),
        clock,
        () -> dispatchers.values().forEach(Dispatcher::wake));
    return pieces;
  }

  private static Managed started(Dispatcher dispatcher) {
    return new Managed() {
      @Override
      public void start() {
        dispatcher.start();
      }

      @Override
      public void stop() {
        dispatcher.close();
      }
    };
  }
}
