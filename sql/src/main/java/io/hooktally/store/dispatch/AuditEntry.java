package io.hooktally.store.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * What a person did.
 *
 * @param id its number
 * @param at when, by the database's clock
 * @param who as they called themselves
 * @param action {@code retry}, {@code discard}, {@code pause}, {@code resume} or {@code replay}
 * @param subject what it was done to
 * @param detail the rest, free of payloads
 */
public record AuditEntry(
    long id, Instant at, String who, String action, String subject, JsonNode detail) {}
