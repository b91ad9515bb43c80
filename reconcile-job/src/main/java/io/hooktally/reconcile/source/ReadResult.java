package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a single read found. */
public sealed interface ReadResult {
  /** The source's clock when it answered. */
  Instant sourceNow();

  /**
   * The entity exists.
   *
   * @param body the entity, whole
   * @param modified its modified time; its created time where it was never modified; or nothing
   * @param sourceNow the source's clock when it answered
   */
  record Found(JsonNode body, @Nullable Instant modified, Instant sourceNow)
      implements ReadResult {}

  /**
   * The entity does not exist (any more).
   *
   * @param status 404 or 410
   * @param sourceNow the source's clock when it answered
   */
  record Gone(int status, Instant sourceNow) implements ReadResult {}

  /**
   * The source is there and does not show this entity; only where that is asked for.
   *
   * @param why for people; free of content
   * @param sourceNow the source's clock, as far as it is known
   */
  record Unreadable(String why, Instant sourceNow) implements ReadResult {}
}
