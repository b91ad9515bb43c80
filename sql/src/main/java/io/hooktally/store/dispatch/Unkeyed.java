package io.hooktally.store.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * A dispatch row whose body has not been read yet.
 *
 * @param id the dispatch row
 * @param topic the event's topic, if it had one
 * @param conflictTopic the topic of the other body under its id; no topic is signed
 * @param bodies what was delivered under the event's id
 */
public record Unkeyed(
    long id, @Nullable String topic, @Nullable String conflictTopic, Bodies bodies) {}
