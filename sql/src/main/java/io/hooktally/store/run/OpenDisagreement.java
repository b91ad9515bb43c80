package io.hooktally.store.run;

import org.jspecify.annotations.Nullable;

/**
 * A disagreement that no run has ended yet.
 *
 * @param runId the run that saw it last
 * @param kind how source and replica differ
 * @param state why it is open: held back, left, failed, or fixed and still different
 * @param note the same in words
 * @param approvedBy who lets the next run fix it although it was held back
 */
public record OpenDisagreement(
    String entityId,
    long runId,
    @Nullable Kind kind,
    SuspectState state,
    @Nullable String note,
    @Nullable String approvedBy) {}
