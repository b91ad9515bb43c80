package io.hooktally.reconcile;

import io.hooktally.store.Lease;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.Leases;
import io.hooktally.store.run.Run;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Between two slices: a scheduled run that waits goes first. The lease is given back for it, and
 * taken again with a new number once it is done.
 */
final class SliceBreak {
  private static final Logger log = LoggerFactory.getLogger(SliceBreak.class);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  // Whoever waits looks once a second; a process that died is not waited for.
  private static final Duration ALIVE = Duration.ofMinutes(2);

  private final RunStore store;
  private final Leases leases;
  private final Run run;
  private final HeldLease lease;
  private final RunContext.Writer writer;
  private final Pause pause;

  SliceBreak(
      RunStore store,
      Leases leases,
      Run run,
      HeldLease lease,
      RunContext.Writer writer,
      Pause pause) {
    this.store = store;
    this.leases = leases;
    this.run = run;
    this.lease = lease;
    this.writer = writer;
    this.pause = pause;
  }

  /**
   * Lets the scheduled run go first, if one waits.
   *
   * @throws LeaseLostException when this run was ended or taken up by somebody else meanwhile
   */
  void letOthers() throws InterruptedException {
    Lease before = lease.lease();
    if (!leases.isWanted(before.name())) {
      return;
    }
    log.info("run {}: waits between two slices for the scheduled run", run.id());
    sayAlive(before);
    lease.letGo();
    do {
      pause.pause(LOOK_AGAIN);
      sayAlive(before);
    } while (leases.isWanted(before.name()) || !lease.takeAgain());
    boolean ours =
        writer.write(handle -> store.slices().goOn(handle, run.id(), before, lease.lease()));
    if (!ours) {
      throw new LeaseLostException(before);
    }
    log.info("run {}: goes on", run.id());
  }

  private void sayAlive(Lease before) {
    if (!store.slices().waits(run.id(), before, ALIVE)) {
      throw new LeaseLostException(before);
    }
  }
}
