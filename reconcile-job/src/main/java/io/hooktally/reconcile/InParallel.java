package io.hooktally.reconcile;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Does a few things at once for one run, such as single reads. Used by the run's own thread only;
 * close it to end its threads.
 */
public final class InParallel implements AutoCloseable {
  private final ExecutorService threads;

  /** On so many threads. */
  public InParallel(String name, int size) {
    this.threads =
        Executors.newFixedThreadPool(
            size,
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Applies the work to each and waits for all.
   *
   * @return the results, in the order of {@code each}
   * @throws InterruptedException when the caller is interrupted; then, and where one throws, the
   *     others are interrupted, and none is at work any more when this method ends
   */
  public <T, R> List<R> map(List<T> each, Function<? super T, ? extends R> work)
      throws InterruptedException {
    List<Future<R>> futures = new ArrayList<>();
    try {
      for (T one : each) {
        futures.add(threads.submit(() -> work.apply(one)));
      }
      List<R> results = new ArrayList<>();
      for (Future<R> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      stop();
      throw failure(e.getCause());
    } catch (InterruptedException e) {
      stop();
      throw e;
    }
  }

  /** Begins something that is {@linkplain #await waited for} later. */
  public <R> Future<R> begin(Supplier<R> work) {
    return threads.submit(work::get);
  }

  /**
   * The result of what was begun; what it throws is thrown.
   *
   * @throws InterruptedException when the caller is interrupted
   */
  public <R> R await(Future<R> begun) throws InterruptedException {
    try {
      return begun.get();
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  private static RuntimeException failure(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException failure
        ? failure
        : new IllegalStateException("work threw what it may not", cause);
  }

  // What goes wrong ends the run: nothing is done in parallel after that.
  private void stop() throws InterruptedException {
    threads.shutdownNow();
    if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("work in parallel does not end");
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
