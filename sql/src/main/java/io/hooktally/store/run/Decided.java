package io.hooktally.store.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is written down of a suspect that was looked at again.
 *
 * @param loaded read where no event was ever to come: no disagreement
 * @param unannounced only fields differ that may change without an event: counted apart
 * @param loss how the change was lost; null where nothing is known or nothing was lost
 * @param ours what the replica's state adds to the sums
 * @param theirs what the source's state adds to the sums
 */
public record Decided(
    Verdict verdict,
    boolean loaded,
    boolean unannounced,
    @Nullable Loss loss,
    List<SumValue> ours,
    List<SumValue> theirs) {}
