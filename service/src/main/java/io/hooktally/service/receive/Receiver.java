package io.hooktally.service.receive;

import com.codahale.metrics.Clock;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.dropwizard.core.setup.Environment;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.inbox.PayloadPartitions;
import jakarta.servlet.ServletRegistration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application port, whole. Its metrics, all since the start of the process, are {@code
 * hooktally.receive.<source>.} followed by {@code delivered}, {@code open}, {@code stored}, {@code
 * duplicate}, {@code conflict}, {@code refused.method}, {@code refused.size}, {@code
 * refused.encoding}, {@code refused.signature}, {@code refused.event-id}, {@code unavailable} and
 * {@code aborted}, {@code bytes} of bodies that came whole, {@code answer-time} from a delivery's
 * head to its answer; {@code hooktally.receive.commit.deliveries}: how many share a commit; and
 * {@code hooktally.receive.queue.deliveries} and {@code hooktally.receive.queue.bytes}: what waits
 * for its commit, and the memory that bodies of open deliveries take. Thread-safe.
 */
public final class Receiver {
  private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);
  private static final String METRICS = "hooktally.receive";

  private final Map<String, ReceivingSource> sources = new LinkedHashMap<>();

  private final TroubleKeeper troubles;

  private Receiver(
      Collection<SourceConfig> configs, Jdbi work, String instance, InstantSource clock) {
    configs.forEach(config -> sources.put(config.name(), new ReceivingSource(config, clock)));
    troubles = new TroubleKeeper(List.copyOf(sources.values()), work, instance, clock);
  }

  /**
   * Makes {@code POST /webhooks/{source}} the only thing on the application port, with its health
   * checks and metrics. What the inbox and {@code afterCommit} need must be registered with the
   * environment's life cycle before: it is stopped after the last commits. Jetty's graceful
   * handler, which Dropwizard installs, must stay: at a stop it lets open deliveries end before the
   * writer stops.
   *
   * @param work for what is kept in the background, apart from the inbox's connections
   * @param clock what signed timestamps are held against
   * @param afterCommit called on the writer's thread after a commit of something new; must be quick
   */
  public static Receiver register(
      Environment environment,
      Collection<SourceConfig> configs,
      ReceiveLimits limits,
      Inbox inbox,
      Jdbi work,
      InstantSource clock,
      Runnable afterCommit) {
    Receiver receiver = new Receiver(configs, work, inbox.instance(), clock);
    List<ReceivingSource> sources = List.copyOf(receiver.sources.values());
    ByteBudget budget = new ByteBudget(bodyBytes(limits, Runtime.getRuntime().maxMemory()));
    GroupCommit groupCommit = new GroupCommit(inbox, afterCommit, Clock.defaultClock());
    environment
        .lifecycle()
        .manage(new PartitionKeeper(new PayloadPartitions(work), limits.keepPayloads()));
    environment.lifecycle().manage(receiver.troubles);
    environment.lifecycle().manage(groupCommit);
    servePort(
        environment,
        limits,
        new WebhookPaths(sources),
        new ReceiveServlet(groupCommit, budget, limits));
    environment.healthChecks().register("receive-counts", new CountsCheck(sources));
    environment.healthChecks().register("receive-secrets", new SecretsCheck(sources));
    sources.forEach(source -> count(environment.metrics(), source));
    environment.metrics().register(METRICS + ".commit.deliveries", groupCommit.batches());
    gauge(environment.metrics(), METRICS + ".queue.deliveries", groupCommit::queued);
    gauge(environment.metrics(), METRICS + ".queue.bytes", budget::taken);
    sources.forEach(Receiver::warn);
    return receiver;
  }

  /**
   * Bytes that all open bodies may have together: an eighth of the heap at most. A large array can
   * take twice its size of it (G1 gives it whole regions), the batch that is being written is there
   * once more as the driver sends it, and the dispatchers read bodies meanwhile. Room for one
   * largest body at least, or it would be turned away for ever.
   */
  static long bodyBytes(ReceiveLimits limits, long heap) {
    long most = heap / 8;
    if (limits.queueBytes() > most) {
      LOG.info(
          "Open deliveries get {} bytes instead of receive.queueBytes, {}: the heap is small",
          most,
          limits.queueBytes());
    }
    return Math.max(Math.min(limits.queueBytes(), most), 2L * limits.maxBodySize() + 8192);
  }

  /** The names of the sources that are received. */
  public List<String> sources() {
    return List.copyOf(sources.keySet());
  }

  /**
   * How a source's deliveries ended.
   *
   * @throws IllegalArgumentException when there is no such source
   */
  public Counts counts(String source) {
    ReceivingSource found = sources.get(source);
    if (found == null) {
      throw new IllegalArgumentException("no source " + source + ", only " + sources.keySet());
    }
    return found.tally().counts();
  }

  /** Puts on record now what is put on record every few seconds. */
  void lookForTroubles() {
    troubles.look();
  }

  private static void servePort(
      Environment environment, ReceiveLimits limits, WebhookPaths paths, ReceiveServlet servlet) {
    environment.jersey().disable();
    environment.getApplicationContext().insertHandler(paths);
    environment.getApplicationContext().setErrorHandler(new PlainErrorHandler());
    ServletRegistration.Dynamic registration =
        environment.servlets().addServlet("receive", servlet);
    registration.addMapping(WebhookPaths.PREFIX + "*");
    registration.setAsyncSupported(true);
    environment.lifecycle().addServerLifecycleListener(new Hardening(limits.arrival()));
  }

  private static void count(MetricRegistry metrics, ReceivingSource source) {
    Tally tally = source.tally();
    String name = MetricRegistry.name(METRICS, source.name());
    gauge(metrics, name + ".delivered", () -> tally.counts().delivered());
    metrics.register(name + ".answer-time", tally.answers());
    metrics.register(name + ".bytes", tally.bytes());
    gauge(metrics, name + ".open", () -> tally.counts().open());
    for (Outcome outcome : Outcome.values()) {
      gauge(metrics, name + "." + outcome.metric(), () -> tally.counts().of(outcome));
    }
  }

  private static void gauge(MetricRegistry metrics, String name, Gauge<? extends Number> gauge) {
    metrics.register(name, gauge);
  }

  private static void warn(ReceivingSource source) {
    if (!source.verifies()) {
      LOG.warn(
          "Source {} takes in deliveries from anybody: signature is none in config.yml",
          source.name());
    } else if (!source.canVerify()) {
      LOG.warn(
          "Source {} has no secret: its deliveries are answered 503 until signature.secrets is set",
          source.name());
    }
  }
}
