package io.hooktally.reconcile.job;

import org.jspecify.annotations.Nullable;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.InterruptableJob;
import org.quartz.JobExecutionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes {@link DailyRuns}. Nothing it meets stops the schedule. */
@DisallowConcurrentExecution
final class DailyRunsJob implements InterruptableJob {
  private static final Logger log = LoggerFactory.getLogger(DailyRunsJob.class);

  private final DailyRuns runs;
  private volatile @Nullable Thread worker;

  DailyRunsJob(DailyRuns runs) {
    this.runs = runs;
  }

  @Override
  public void execute(JobExecutionContext context) {
    worker = Thread.currentThread();
    try {
      runs.runDue();
    } catch (InterruptedException e) {
      log.info("the scheduled runs were interrupted, the next look goes on");
    } catch (RuntimeException | Error e) {
      log.error("the scheduled runs ended with an error, the next look goes on", e);
    } finally {
      worker = null;
      // The thread goes back to its pool.
      boolean unused = Thread.interrupted();
    }
  }

  @Override
  public void interrupt() {
    Thread thread = worker;
    if (thread != null) {
      thread.interrupt();
    }
  }
}
