package io.hooktally.reconcile;

import io.hooktally.store.Lease;
import io.hooktally.store.StoreException;
import io.hooktally.store.run.Fenced;
import io.hooktally.store.run.NewRun;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunState;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Under which number a run begins: a new one, or that of a run that did not complete. Whoever holds
 * the lease knows that a run still recorded as running has died.
 */
final class Beginnings {
  /** A run with its number, and what it is to do. */
  record Begun(Run run, RunRequest request) {}

  private final RunStore store;
  private final Fenced fenced;

  Beginnings(RunStore store, Fenced fenced) {
    this.store = store;
    this.fenced = fenced;
  }

  Begun begin(RunRequest request, Lease lease) {
    return fenced.write(
        lease,
        handle -> {
          refuseDone(request);
          Optional<Run> broken =
              store
                  .runs()
                  .newest(handle, request.source(), request.entityType())
                  .filter(run -> isTakenUpBySchedule(run, request));
          if (broken.isPresent()) {
            return takeUp(handle, lease, broken.get(), request.scheduledFor(), false);
          }
          Window window = request.window();
          Instant from = window == null ? null : window.from();
          Instant to = window == null ? null : window.to();
          NewRun run =
              new NewRun(
                  request.source(),
                  request.entityType(),
                  request.reason(),
                  request.mode(),
                  request.scheduledFor(),
                  from,
                  to,
                  request.trustSource());
          return new Begun(find(handle, store.runs().begin(handle, lease, run)), request);
        });
  }

  Begun resume(Run asked, Lease lease) {
    return fenced.write(
        lease,
        handle -> {
          Run run = find(handle, asked.id());
          if (run.state() == RunState.DONE) {
            throw new RunRefusedException("run " + run.id() + " has completed");
          }
          if (store.slices().isWaiting(handle, run.id())) {
            throw new RunRefusedException(
                "run " + run.id() + " is at work: it waits between two slices");
          }
          long newest =
              store.runs().newest(handle, run.source(), run.entityType()).map(Run::id).orElse(0L);
          // Slices that are done stay done, whatever ran since.
          boolean goesOn = run.slicedTo() != null;
          if (newest != run.id() && !goesOn) {
            throw new RunRefusedException(
                "run " + run.id() + " is not the newest, run " + newest + " is: start a new one");
          }
          return takeUp(handle, lease, run, null, newest != run.id());
        });
  }

  /** Records a run as cancelled whose process died before it could. */
  boolean buryCancelled(Handle handle, Run run, String who) {
    boolean dead =
        find(handle, run.id()).state() == RunState.RUNNING
            && !store.slices().isWaiting(handle, run.id());
    if (dead) {
      String error = "cancelled by " + who + "; its process had ended";
      store.runs().end(handle, run.id(), RunState.CANCELLED, error, false);
    }
    return dead;
  }

  private Begun takeUp(
      Handle handle, Lease lease, Run run, @Nullable LocalDate day, boolean othersSince) {
    store.runs().resume(handle, lease, run.id(), day);
    store.disagreements().resume(handle, run.id(), othersSince);
    if (run.slicedTo() == null) {
      store.sums().clear(handle, run.id());
    }
    Run resumed = find(handle, run.id());
    return new Begun(resumed, RunRequest.of(resumed));
  }

  // The schedule goes on with what its process, or its machine, did not live to complete.
  private static boolean isTakenUpBySchedule(Run run, RunRequest request) {
    boolean broken =
        run.state() == RunState.RUNNING || (run.state() == RunState.FAILED && run.stopped());
    return broken
        && request.scheduledFor() != null
        && run.scheduledFor() != null
        && run.reason() == request.reason()
        && run.mode() == request.mode();
  }

  private void refuseDone(RunRequest request) {
    LocalDate day = request.scheduledFor();
    if (day != null
        && request.reason() == RunReason.SCHEDULED
        && store
            .runs()
            .hasEnded(request.source(), request.entityType(), request.reason(), day, day, false)) {
      throw new RunRefusedException("the run of " + day + " has been done");
    }
  }

  private Run find(Handle handle, long id) {
    return store
        .runs()
        .find(handle, id)
        .orElseThrow(() -> new StoreException("run " + id + " is not there"));
  }
}
