package io.hooktally.store.run;

/**
 * How a change was lost, as far as it is known.
 *
 * @param note the sentence that says so, for people; ids and times, no content
 */
public record Loss(LossCause cause, String note) {}
