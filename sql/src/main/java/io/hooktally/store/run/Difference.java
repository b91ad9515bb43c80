package io.hooktally.store.run;

/**
 * One field on which source and replica differ; both values as JSON text, shortened.
 *
 * @param pointer where, as a JSON pointer
 * @param ours the replica's value
 * @param theirs the source's value
 */
public record Difference(String pointer, String ours, String theirs) {}
