package io.hooktally.service.receive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Deliveries that wait for the writer, in the order they came. What they hold in memory is bounded
 * by the {@link ByteBudget} their bodies were read under. Thread-safe.
 */
final class DeliveryQueue {
  private static final int BATCH = 500;
  private static final long BATCH_BYTES = 8L * 1024 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private boolean closed;

  /** Appends; false once closed. */
  boolean offer(Waiting delivery) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      waiting.addLast(delivery);
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for deliveries and takes one batch of them; empty once closed and drained. */
  List<Waiting> take() throws InterruptedException {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        changed.await();
      }
      List<Waiting> batch = new ArrayList<>();
      long bytes = 0;
      while (!waiting.isEmpty() && batch.size() < BATCH && bytes < BATCH_BYTES) {
        Waiting next = waiting.removeFirst();
        bytes += next.delivery().body().length;
        batch.add(next);
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Takes out those whose deadline is over. All wait equally long, so they stand in front. */
  List<Waiting> takeOverdue(long now) {
    lock.lock();
    try {
      List<Waiting> overdue = new ArrayList<>();
      while (!waiting.isEmpty() && waiting.getFirst().isOver(now)) {
        overdue.add(waiting.removeFirst());
      }
      return overdue;
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more; what is there can still be taken out. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }
}
