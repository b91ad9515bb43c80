package io.hooktally.service;

import io.hooktally.reconcile.Reconciler;
import io.hooktally.service.dispatch.Dispatcher;
import io.hooktally.store.run.OpenDisagreements;
import io.hooktally.store.run.Watermarks;
import java.time.InstantSource;
import java.util.Map;

/**
 * What a running service is made of, for its own parts and for the demo.
 *
 * @param storage its database
 * @param dispatchers by source
 * @param reconciler does runs
 */
public record Pieces(
    Storage storage,
    Map<String, Dispatcher> dispatchers,
    Reconciler reconciler,
    InstantSource clock) {
  /** What people do about runs. */
  RunActions actions(RunRequests requests) {
    return new RunActions(
        reconciler,
        new OpenDisagreements(storage.work()),
        new Watermarks(storage.work()),
        requests,
        clock);
  }
}
