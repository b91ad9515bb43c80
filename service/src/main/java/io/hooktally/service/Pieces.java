package io.hooktally.service;

import io.hooktally.reconcile.Reconciler;
import io.hooktally.service.dispatch.Dispatcher;
import java.util.Map;

/**
 * What a running service is made of, for its own parts and for the demo.
 *
 * @param storage its database
 * @param dispatchers by source
 * @param reconciler does runs
 */
public record Pieces(Storage storage, Map<String, Dispatcher> dispatchers, Reconciler reconciler) {}
