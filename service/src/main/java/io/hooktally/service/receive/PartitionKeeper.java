package io.hooktally.service.receive;

import io.dropwizard.lifecycle.Managed;
import io.hooktally.store.inbox.PayloadPartitions;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Has the payload's partitions made: at the start, and every hour for what could not be made. */
final class PartitionKeeper implements Managed {
  private final PayloadPartitions partitions;
  private final ScheduledExecutorService hourly =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "payload-partitions");
            thread.setDaemon(true);
            return thread;
          });

  PartitionKeeper(PayloadPartitions partitions) {
    this.partitions = partitions;
  }

  @Override
  public void start() {
    partitions.makeAhead();
    ScheduledFuture<?> unused =
        hourly.scheduleWithFixedDelay(partitions::makeAhead, 1, 1, TimeUnit.HOURS);
  }

  @Override
  public void stop() {
    hourly.shutdownNow();
  }
}
