package io.hooktally.store.alert;

import org.jspecify.annotations.Nullable;

/**
 * An alert on its way.
 *
 * @param id its number; the receiver may see an alert twice, and knows it by this
 * @param runId the run it is about, if it is about one
 * @param text for a person; free of payloads and secrets
 * @param attempts how often it has been tried, this time included
 */
public record Alert(
    long id,
    AlertKind kind,
    String source,
    String entityType,
    @Nullable Long runId,
    String text,
    int attempts) {}
