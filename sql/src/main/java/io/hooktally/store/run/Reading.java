package io.hooktally.store.run;

import io.hooktally.store.replica.ReadTicket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A single read that confirmed a suspect, kept until its fix is done.
 *
 * @param ticket drawn before the request
 * @param modified the modified time read; null where there is none
 * @param body the entity as JSON text; null: the source said 404 or 410
 */
public record Reading(ReadTicket ticket, @Nullable Instant modified, @Nullable String body) {
  byte @Nullable [] bytes() {
    return body == null ? null : body.getBytes(StandardCharsets.UTF_8);
  }
}
