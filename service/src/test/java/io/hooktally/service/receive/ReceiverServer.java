package io.hooktally.service.receive;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.testing.ConfigOverride;
import io.dropwizard.testing.DropwizardTestSupport;
import io.hooktally.reconcile.source.EventConfig;
import io.hooktally.reconcile.source.MissingId;
import io.hooktally.reconcile.source.SignatureConfig;
import io.hooktally.reconcile.source.SignatureScheme;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.store.Secret;
import io.hooktally.store.inbox.Inbox;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;

/** The application port of the service on a free port, over a database of the test's. */
final class ReceiverServer implements AutoCloseable {
  static final String SECRET = "whsec_secret";

  private final DropwizardTestSupport<Configuration> support;
  private final AtomicInteger commits = new AtomicInteger();
  private final Inbox inbox;
  private Receiver receiver;

  ReceiverServer(Jdbi jdbi, ReceiveLimits limits, SourceConfig... sources) {
    this(jdbi, jdbi, limits, sources);
  }

  /** With another pool for what is done in the background. */
  ReceiverServer(Jdbi jdbi, Jdbi work, ReceiveLimits limits, SourceConfig... sources) {
    inbox = new Inbox(jdbi, "test");
    support =
        new DropwizardTestSupport<>(
            Configured.class,
            (String) null,
            ConfigOverride.config("server.applicationConnectors[0].type", "h2c"),
            ConfigOverride.config("server.applicationConnectors[0].port", "0"),
            ConfigOverride.config("server.applicationConnectors[0].bindHost", "127.0.0.1"),
            ConfigOverride.config("server.applicationConnectors[0].idleTimeout", "3s"),
            ConfigOverride.config("server.adminConnectors[0].type", "http"),
            ConfigOverride.config("server.adminConnectors[0].port", "0"),
            ConfigOverride.config("server.gzip.enabled", "false")) {
          @Override
          public Application<Configuration> newApplication() {
            return receiving(work, limits, sources);
          }
        };
  }

  private Application<Configuration> receiving(
      Jdbi work, ReceiveLimits limits, SourceConfig... sources) {
    return new Application<>() {
      @Override
      public void run(Configuration configuration, Environment environment) {
        receiver =
            Receiver.register(
                environment,
                List.of(sources),
                limits,
                inbox,
                work,
                InstantSource.system(),
                commits::incrementAndGet);
      }
    };
  }

  static SourceConfig source(String name, String... secrets) {
    return new SourceConfig(
        name,
        new SignatureConfig(
            null, "X-Shop-Signature", null, Arrays.stream(secrets).map(Secret::new).toList()),
        event(),
        null,
        null,
        null,
        null);
  }

  /** Signed as Stripe does it, with id and topic in the body. */
  static SourceConfig stripe(String name, String secret) {
    return new SourceConfig(
        name,
        new SignatureConfig(SignatureScheme.STRIPE, null, null, List.of(new Secret(secret))),
        new EventConfig(null, List.of("/id"), null, List.of("/type"), null, null),
        null,
        null,
        null,
        null);
  }

  /** Takes in everything; what has no id is known by its body. */
  static SourceConfig hashed(String name) {
    EventConfig event =
        new EventConfig("X-Shop-Event-Id", null, "X-Shop-Topic", null, MissingId.HASH, null);
    return new SourceConfig(name, SignatureConfig.of("none"), event, null, null, null, null);
  }

  static SourceConfig unsigned(String name) {
    return new SourceConfig(name, SignatureConfig.of("none"), event(), null, null, null, null);
  }

  private static EventConfig event() {
    return new EventConfig(
        "X-Shop-Event-Id", "X-Shop-Topic", List.of("X-*", "Content-Type", "Content-Encoding"));
  }

  ReceiverServer start() throws Exception {
    support.before();
    return this;
  }

  int port() {
    return support.getLocalPort();
  }

  /** Puts on record at once what is put on record every few seconds. */
  void lookForTroubles() {
    receiver.lookForTroubles();
  }

  Counts counts(String source) {
    return receiver.counts(source);
  }

  Inbox inbox() {
    return inbox;
  }

  int commits() {
    return commits.get();
  }

  Environment environment() {
    return support.getEnvironment();
  }

  @Override
  public void close() {
    support.after();
  }

  /** Names a class to the test support, which is then handed an instance instead. */
  abstract static class Configured extends Application<Configuration> {}
}
