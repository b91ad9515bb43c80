package io.hooktally.store.run;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A suspect of a run and what became of it.
 *
 * @param runId the run
 * @param entityId the entity
 * @param suspected what the listing looked like
 * @param kind what confirmation found; null before
 * @param state what became of it
 * @param loaded read where no event was ever to come: no disagreement
 * @param earlier not ended in an earlier run and checked again in this one
 * @param residual still differed after its fix
 * @param listedModified the modified time the list showed
 * @param oursModified the replica's modified time when it was compared
 * @param reading the read that confirmed it; null before, and once its fix is done
 * @param differences the fields that differ, for people
 * @param note why it was decided so, for people
 */
public record Disagreement(
    long runId,
    String entityId,
    Kind suspected,
    @Nullable Kind kind,
    SuspectState state,
    boolean loaded,
    boolean earlier,
    boolean residual,
    @Nullable Instant listedModified,
    @Nullable Instant oursModified,
    @Nullable Reading reading,
    List<Difference> differences,
    @Nullable String note) {}
