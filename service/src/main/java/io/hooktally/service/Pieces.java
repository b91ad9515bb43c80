package io.hooktally.service;

import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.service.dispatch.Dispatcher;
import java.util.Map;

/**
 * What a running service is made of, for its own parts and for the demo.
 *
 * @param clients of the sources' APIs, by source
 * @param dispatchers by source
 */
public record Pieces(
    Storage storage,
    Map<String, SourceConfig> sources,
    Map<String, SourceClient> clients,
    Map<String, Dispatcher> dispatchers) {}
