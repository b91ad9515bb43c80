package io.hooktally.service.receive;

import io.dropwizard.lifecycle.Managed;
import io.hooktally.store.inbox.PayloadPartitions;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has the payload's partitions made, and those dropped that are older than payloads are kept: at
 * the start, and every hour for what could not be done or has become due.
 */
final class PartitionKeeper implements Managed {
  private final PayloadPartitions partitions;
  private final @Nullable Duration keep;
  private final ScheduledExecutorService hourly =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "payload-partitions");
            thread.setDaemon(true);
            return thread;
          });

  /** Payloads are kept so long; null: for ever. */
  PartitionKeeper(PayloadPartitions partitions, @Nullable Duration keep) {
    this.partitions = partitions;
    this.keep = keep;
  }

  @Override
  public void start() {
    partitions.makeAhead();
    ScheduledFuture<?> unusedMaking =
        hourly.scheduleWithFixedDelay(partitions::makeAhead, 1, 1, TimeUnit.HOURS);
    Duration limit = keep;
    if (limit != null) {
      ScheduledFuture<?> unusedDropping =
          hourly.scheduleWithFixedDelay(
              () -> partitions.dropOlderThan(limit), 0, 1, TimeUnit.HOURS);
    }
  }

  @Override
  public void stop() {
    hourly.shutdownNow();
  }
}
