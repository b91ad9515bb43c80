package io.hooktally.service.receive;

import com.codahale.metrics.Clock;
import com.codahale.metrics.ExponentiallyDecayingReservoir;
import com.codahale.metrics.Histogram;
import io.dropwizard.lifecycle.Managed;
import io.hooktally.store.inbox.Delivery;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.inbox.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits deliveries in groups: one writer stores all that has gathered while it stored the batch
 * before, so a lone delivery is committed at once and many share one commit. Each is answered after
 * its own commit, or when its sender has waited long enough. Thread-safe.
 */
final class GroupCommit implements Managed {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  // Senders are promised an answer within 3 s; what is left is for the way there.
  private static final Duration PATIENCE = Duration.ofMillis(2400);
  // A commit that takes longer than this is a sign that the next ones will.
  private static final Duration SLOW = Duration.ofSeconds(1);
  private static final Duration CHECK = Duration.ofMillis(50);
  private static final Duration LAST_COMMITS = Duration.ofSeconds(5);

  private final Inbox inbox;
  private final Runnable afterCommit;
  private final Clock clock;
  private final DeliveryQueue queue = new DeliveryQueue();
  private final Histogram batches = new Histogram(new ExponentiallyDecayingReservoir());
  private final Thread writer;
  private final ScheduledExecutorService deadlines;
  private volatile List<Waiting> inFlight = List.of();
  // Ticks of the clock, set before inFlight is.
  private volatile long begun;
  // Nothing of the last batch could be stored.
  private volatile boolean failing;

  GroupCommit(Inbox inbox, Runnable afterCommit, Clock clock) {
    this.inbox = inbox;
    this.afterCommit = afterCommit;
    this.clock = clock;
    this.writer = daemon(this::writeUntilClosed, "receive-writer");
    this.deadlines =
        Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "receive-deadlines"));
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void start() {
    writer.start();
    ScheduledFuture<?> unused =
        deadlines.scheduleWithFixedDelay(
            this::answerOverdueAlways, CHECK.toMillis(), CHECK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Commits and answers what is queued. No delivery is taken in any more. */
  @Override
  public void stop() throws InterruptedException {
    queue.close();
    writer.join(LAST_COMMITS.toMillis());
    deadlines.shutdownNow();
    inFlight.forEach(GroupCommit::giveUp);
    queue.takeOverdue(Long.MAX_VALUE).forEach(GroupCommit::giveUp);
  }

  /**
   * Stores the delivery and answers its sender, later and on another thread; or at once, with 503,
   * while the database is away or slow. Then one delivery at a time finds out whether it still is.
   */
  void commit(Delivery delivery, OpenDelivery open) {
    long now = clock.getTick();
    Waiting waiting = new Waiting(delivery, open, now + PATIENCE.toNanos());
    if (isStuck(now) || !queue.offer(waiting)) {
      giveUp(waiting);
    }
  }

  private boolean isStuck(long now) {
    boolean writing = !inFlight.isEmpty();
    return failing ? writing || queue.size() > 0 : writing && now - begun > SLOW.toNanos();
  }

  int queued() {
    return queue.size();
  }

  /** How many deliveries share a commit. */
  Histogram batches() {
    return batches;
  }

  private void writeUntilClosed() {
    try {
      for (List<Waiting> batch = queue.take(); !batch.isEmpty(); batch = queue.take()) {
        write(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // Whatever goes wrong, the loop goes on and everybody is answered.
  private void write(List<Waiting> batch) {
    begun = clock.getTick();
    inFlight = batch;
    try {
      store(batch);
    } catch (RuntimeException | Error e) {
      failing = true;
      batch.forEach(GroupCommit::giveUp);
      LOG.error("{} deliveries not stored, or not answered", batch.size(), e);
    } finally {
      inFlight = List.of();
    }
  }

  private void store(List<Waiting> batch) {
    batches.update(batch.size());
    List<Receipt> receipts = inbox.store(batch.stream().map(Waiting::delivery).toList());
    failing = receipts.stream().allMatch(receipt -> receipt == Receipt.UNAVAILABLE);
    for (int i = 0; i < batch.size(); i++) {
      answer(batch.get(i).open(), receipts.get(i));
    }
    if (receipts.contains(Receipt.STORED) || receipts.contains(Receipt.CONFLICT)) {
      tell();
    }
  }

  private void tell() {
    try {
      afterCommit.run();
    } catch (RuntimeException e) {
      LOG.error("Events are stored, but those who wait for them could not be told", e);
    }
  }

  private static void answer(OpenDelivery open, Receipt receipt) {
    switch (receipt) {
      case STORED -> open.answer(Outcome.STORED, Answer.ACCEPTED);
      case DUPLICATE -> open.answer(Outcome.DUPLICATE, Answer.DUPLICATE);
      case CONFLICT -> open.answer(Outcome.CONFLICT, Answer.DUPLICATE);
      default -> open.answer(Outcome.UNAVAILABLE, Answer.BUSY);
    }
  }

  // A schedule ends for good with the first exception.
  private void answerOverdueAlways() {
    try {
      answerOverdue();
    } catch (RuntimeException | Error e) {
      LOG.error("Could not answer all that waited long enough", e);
    }
  }

  /** Answers those that waited long enough. What is being written may still be committed. */
  void answerOverdue() {
    long now = clock.getTick();
    queue.takeOverdue(now).forEach(GroupCommit::giveUp);
    for (Waiting waiting : inFlight) {
      if (waiting.isOver(now)) {
        giveUp(waiting);
      }
    }
  }

  private static void giveUp(Waiting waiting) {
    waiting.open().answer(Outcome.UNAVAILABLE, Answer.BUSY);
  }
}
