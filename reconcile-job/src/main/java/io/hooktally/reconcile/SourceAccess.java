package io.hooktally.reconcile;

import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;

/** A source and the way to read it. */
public record SourceAccess(SourceConfig config, SourceClient client) {}
