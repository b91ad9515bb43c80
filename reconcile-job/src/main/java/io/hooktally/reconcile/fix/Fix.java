package io.hooktally.reconcile.fix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.RunContext;
import io.hooktally.store.Json;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.inbox.RunEvents;
import io.hooktally.store.replica.Applied;
import io.hooktally.store.replica.Change;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Reading;
import io.hooktally.store.run.SuspectState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends confirmed disagreements: from the single read, through apply, some in one transaction that
 * holds the run's lease and the replica's rows. Where one of them cannot be written, each is tried
 * in a transaction of its own, so that it answers for itself alone.
 */
public final class Fix {
  private static final Logger log = LoggerFactory.getLogger(Fix.class);
  private static final int BATCH = 20;

  private final RunContext run;

  /** Of one run. */
  public Fix(RunContext run) {
    this.run = run;
  }

  /** Fixes all that is still confirmed. */
  public void fix() {
    while (true) {
      List<Disagreement> confirmed =
          run.store()
              .disagreements()
              .list(run.run().id(), List.of(SuspectState.CONFIRMED), "", BATCH);
      if (confirmed.isEmpty()) {
        return;
      }
      fixTogether(confirmed);
    }
  }

  private void fixTogether(List<Disagreement> some) {
    try {
      run.writer()
          .write(
              handle -> {
                // In the order of their ids, as they come: two such transactions never cross.
                List<RunEvents.Changed> changes = new ArrayList<>();
                some.forEach(one -> fix(handle, one, changes));
                tell(handle, changes);
                return null;
              });
    } catch (LeaseLostException e) {
      throw e;
    } catch (RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        // The run is to end; that is nobody's failure.
        throw e;
      }
      some.forEach(this::fixAlone);
    }
  }

  private void fix(Handle handle, Disagreement one, List<RunEvents.Changed> changes) {
    run.store().replica().lock(handle, run.key(one.entityId()));
    Applied applied = run.store().replica().apply(handle, change(one));
    if (applied == Applied.CHANGED) {
      changes.add(changed(one));
    }
    boolean fixed = applied == Applied.CHANGED || applied == Applied.UNCHANGED;
    SuspectState state = fixed ? SuspectState.FIXED : SuspectState.MOVED_ON;
    String note = fixed ? null : "the live way brought a newer state first";
    run.store().disagreements().end(handle, one, state, note);
  }

  private void fixAlone(Disagreement one) {
    try {
      run.writer()
          .write(
              handle -> {
                List<RunEvents.Changed> changes = new ArrayList<>();
                fix(handle, one, changes);
                tell(handle, changes);
                return null;
              });
    } catch (LeaseLostException e) {
      throw e;
    } catch (RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      log.warn(
          "run {}: {} could not be fixed: {}",
          run.run().id(),
          run.key(one.entityId()),
          e.toString());
      String note = "could not be written (" + e.getClass().getSimpleName() + "); see the log";
      run.writer()
          .write(
              handle -> {
                run.store().disagreements().end(handle, one, SuspectState.FAILED, note);
                return null;
              });
    }
  }

  private void tell(Handle handle, List<RunEvents.Changed> changes) {
    tell(run, handle, changes);
  }

  static void tell(RunContext run, Handle handle, List<RunEvents.Changed> changes) {
    RunEvents.add(handle, run.run().source(), run.lane().text(), run.run().holder(), changes);
  }

  private RunEvents.Changed changed(Disagreement one) {
    Reading reading = Objects.requireNonNull(one.reading(), "a confirmed suspect was read");
    JsonNode body = reading.body() == null ? null : ReadBodies.parse(reading.body());
    return changed(run, one, reading.ticket().number(), body);
  }

  /** What other consumers are told of a fix. */
  static RunEvents.Changed changed(
      RunContext run, Disagreement one, long readNumber, @Nullable JsonNode body) {
    ObjectNode said = Json.mapper().createObjectNode();
    said.put("run", run.run().id());
    said.put("entity_type", run.type().type());
    said.put("entity_id", one.entityId());
    said.put("kind", one.kind() == null ? null : one.kind().text());
    said.set("entity", body);
    return new RunEvents.Changed(
        run.run().id(),
        run.type().type(),
        one.entityId(),
        readNumber,
        body == null,
        ReadBodies.write(said));
  }

  private Change change(Disagreement one) {
    Reading reading = Objects.requireNonNull(one.reading(), "a confirmed suspect was read");
    return reading.body() == null
        ? new Change.Gone(reading.ticket(), run.lane(), null)
        : new Change.Read(
            reading.ticket(),
            reading.modified(),
            ReadBodies.parse(reading.body()),
            run.lane(),
            null);
  }
}
