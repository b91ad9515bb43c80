package io.hooktally.store.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entity on which source and replica seem to differ.
 *
 * @param suspected how
 * @param listedModified the modified time the list showed; null where it was not listed
 * @param oursModified the replica's modified time; null where it has none
 * @param earlier not ended by a fix in an earlier run, and not met again in this one's window
 */
public record Suspect(
    String entityId,
    Kind suspected,
    @Nullable Instant listedModified,
    @Nullable Instant oursModified,
    boolean earlier) {}
