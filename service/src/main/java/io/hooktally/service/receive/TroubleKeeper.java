package io.hooktally.service.receive;

import io.dropwizard.lifecycle.Managed;
import io.hooktally.store.Failure;
import io.hooktally.store.inbox.Heartbeats;
import io.hooktally.store.inbox.Refused;
import io.hooktally.store.inbox.RefusedDeliveries;
import io.hooktally.store.inbox.Troubles;
import io.hooktally.store.inbox.Troubles.Noted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts on record, every few seconds, that this instance is there, and what has become of deliveries
 * it did not accept. It looks at counts that are kept anyway, so a flood costs the way in nothing.
 * What cannot be written while the database is away is written when it is back; a process that is
 * killed leaves out its last seconds.
 */
final class TroubleKeeper implements Managed {
  private static final Logger LOG = LoggerFactory.getLogger(TroubleKeeper.class);
  private static final Set<Outcome> FINE =
      EnumSet.of(Outcome.STORED, Outcome.DUPLICATE, Outcome.CONFLICT);

  private static final int MOST_UNRECORDED = 200;

  private final Collection<ReceivingSource> sources;
  private final Heartbeats heartbeats;
  private final Troubles troubles;
  private final RefusedDeliveries refused;
  private final String instance;
  private final InstantSource clock;
  private final Map<String, Map<Outcome, Long>> recorded = new HashMap<>();
  private final List<Refused> unrecorded = new ArrayList<>();
  private Instant lookedAt;
  private boolean failing;
  private final ScheduledExecutorService loop =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "receive-troubles");
            thread.setDaemon(true);
            return thread;
          });

  TroubleKeeper(
      Collection<ReceivingSource> sources, Jdbi jdbi, String instance, InstantSource clock) {
    this.sources = sources;
    this.heartbeats = new Heartbeats(jdbi);
    this.troubles = new Troubles(jdbi);
    this.refused = new RefusedDeliveries(jdbi);
    this.instance = instance;
    this.clock = clock;
    this.lookedAt = clock.instant();
  }

  @Override
  public void start() {
    ScheduledFuture<?> unused =
        loop.scheduleWithFixedDelay(
            this::look, 0, Heartbeats.INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Records what the last deliveries have left. */
  @Override
  public void stop() throws InterruptedException {
    loop.shutdown();
    if (loop.awaitTermination(Heartbeats.INTERVAL.toSeconds(), TimeUnit.SECONDS)) {
      look();
    }
  }

  /** One look; never throws. */
  synchronized void look() {
    try {
      heartbeats.beat(instance);
      record();
      failing = false;
    } catch (RuntimeException e) {
      if (!failing) {
        LOG.warn(
            "Not recorded now that this instance is there, and what it refused: {}",
            Failure.describe(e));
      }
      failing = true;
    }
  }

  private void record() {
    Instant now = clock.instant();
    Map<String, Map<Outcome, Long>> counted = new HashMap<>();
    List<Noted> noted = new ArrayList<>();
    for (ReceivingSource source : sources) {
      Map<Outcome, Long> counts = source.tally().counts().outcomes();
      counted.put(source.name(), counts);
      Map<Outcome, Long> before = recorded.getOrDefault(source.name(), Map.of());
      counts.forEach(
          (outcome, count) -> {
            long more = count - before.getOrDefault(outcome, 0L);
            if (more > 0 && !FINE.contains(outcome)) {
              noted.add(new Noted(source.name(), outcome.metric(), more));
            }
          });
    }
    if (!noted.isEmpty()) {
      troubles.add(instance, noted, Duration.between(lookedAt, now));
    }
    recorded.putAll(counted);
    lookedAt = now;
    recordSamples();
  }

  private void recordSamples() {
    sources.forEach(source -> unrecorded.addAll(source.samples().take()));
    if (!unrecorded.isEmpty()) {
      // The database may be away for hours; the latest tell the most.
      unrecorded.subList(0, Math.max(0, unrecorded.size() - MOST_UNRECORDED)).clear();
      refused.add(unrecorded);
      unrecorded.clear();
    }
  }
}
