package io.hooktally.reconcile.source;

/**
 * A listing that is proven complete.
 *
 * @param rows how many entities were handed over
 * @param pages how many pages were requested
 * @param passes how often the list was walked: more than once where a total disagreed
 */
public record Listed(long rows, int pages, int passes) {}
