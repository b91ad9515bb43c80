package io.hooktally.service.cli;

import io.hooktally.reconcile.Pause;
import io.hooktally.reconcile.StartedRun;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.store.run.Runs;
import java.io.PrintStream;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does a run on this thread while another one shows how far it is. */
final class Watched {
  private static final Logger LOG = LoggerFactory.getLogger(Watched.class);

  private Watched() {}

  static RunReport complete(StartedRun run, Runs runs, InstantSource clock, PrintStream err) {
    Thread watch =
        new Thread(() -> watch(new RunWatch(runs, clock, err), run.id()), "watch run " + run.id());
    watch.setDaemon(true);
    watch.start();
    try {
      return run.complete();
    } finally {
      watch.interrupt();
    }
  }

  private static void watch(RunWatch watch, long id) {
    try {
      watch.untilEnded(id, Pause.sleeping());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // Showing it is no reason to end it.
      LOG.debug("run {} is not shown", id, e);
    }
  }
}
