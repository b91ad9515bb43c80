package io.hooktally.store.run;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A disagreement as a report shows it.
 *
 * @param kind null while it is not confirmed
 * @param earlier not ended in an earlier run and checked again in this one
 * @param unannounced only fields differ that may change without an event
 * @param residual still differed after its fix
 * @param oursModified the replica's modified time when it was compared
 * @param theirsModified the modified time that the single read showed
 * @param differences the fields that differ, with both values
 * @param loss how the change was lost, where something is known
 * @param note why it was decided so
 */
public record Finding(
    String entityId,
    @Nullable Kind kind,
    SuspectState state,
    boolean earlier,
    boolean unannounced,
    boolean residual,
    @Nullable Instant oursModified,
    @Nullable Instant theirsModified,
    List<Difference> differences,
    @Nullable Loss loss,
    @Nullable String note) {}
