package io.hooktally.reconcile.compare;

import io.hooktally.reconcile.source.ListedRow;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a listing on a thread of its own, a few pages ahead of who compares them: the source and
 * the database work at the same time. What is read and not taken yet is bounded.
 */
final class PagesAhead {
  /** Reads a whole listing; throws where it is not complete. */
  @FunctionalInterface
  interface Walk {
    void read(Consumer<List<ListedRow>> sink);
  }

  /** Takes a page. */
  @FunctionalInterface
  interface Taker {
    void take(List<ListedRow> page) throws InterruptedException;
  }

  private static final int PAGES = 4;

  private record Step(@Nullable List<ListedRow> page, @Nullable Throwable failure) {}

  private final BlockingQueue<Step> steps = new ArrayBlockingQueue<>(PAGES);
  private final Thread reader;

  private PagesAhead(String name, Walk walk) {
    reader = new Thread(() -> read(walk), name);
    reader.setDaemon(true);
  }

  /**
   * Hands over all pages of a listing, in its order, on the caller's thread.
   *
   * @throws InterruptedException when the caller is interrupted; the reading has ended then, as it
   *     has whenever this method ends
   */
  static void read(String name, Walk walk, Taker taker) throws InterruptedException {
    PagesAhead pages = new PagesAhead(name, walk);
    pages.reader.start();
    try {
      pages.handOver(taker);
    } finally {
      pages.stop();
    }
  }

  private void handOver(Taker taker) throws InterruptedException {
    while (true) {
      Step step = steps.take();
      if (step.failure() instanceof RuntimeException failure) {
        throw failure;
      } else if (step.failure() instanceof Error error) {
        throw error;
      } else if (step.page() == null) {
        return;
      }
      taker.take(step.page());
    }
  }

  private void read(Walk walk) {
    Throwable failure = null;
    try {
      walk.read(page -> put(new Step(page, null)));
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    try {
      steps.put(new Step(null, failure));
    } catch (InterruptedException e) {
      // Who would have taken it has gone.
      Thread.currentThread().interrupt();
    }
  }

  private void put(Step step) {
    try {
      steps.put(step);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("nobody takes the pages any more");
    }
  }

  private void stop() throws InterruptedException {
    boolean interrupted = false;
    while (reader.isAlive()) {
      reader.interrupt();
      steps.clear();
      try {
        reader.join(50);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      throw new InterruptedException("interrupted while a listing ended");
    }
  }
}
