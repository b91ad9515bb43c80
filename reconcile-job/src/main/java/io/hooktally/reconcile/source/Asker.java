package io.hooktally.reconcile.source;

import java.time.Duration;

/**
 * For whom a request is made.
 *
 * @param priority its place where requests compete
 * @param patience how long it waits while the source wants to be left alone
 * @param meter counts it
 */
record Asker(Priority priority, Duration patience, Meter meter) {}
