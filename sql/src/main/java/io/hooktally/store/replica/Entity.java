package io.hooktally.store.replica;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Lane;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One row of the replica.
 *
 * @param key what it is identified by
 * @param version which state of the entity this is
 * @param deleted a tombstone: the source said 404 or 410; {@code body} then is the last one known,
 *     if any
 * @param body the entity, with what {@code jsonb} refuses replaced; null for a tombstone of an
 *     entity we never had
 * @param bodyHash SHA-256 (hex) of the canonical form of the original body; null where there is no
 *     body
 * @param altered whether {@code body} differs from the original because {@code jsonb} refused
 *     something
 * @param ledgerSeq the ledger's sequence of the event that wrote it, where the source has no API
 * @param unsettled whether a tie was settled by the ledger's sequence instead of a read
 * @param lane how this state reached us
 * @param eventId the event that last touched it, if an event did
 * @param changedAt when the row last changed, by the database's clock
 */
public record Entity(
    EntityKey key,
    Version version,
    boolean deleted,
    @Nullable JsonNode body,
    @Nullable String bodyHash,
    boolean altered,
    @Nullable Long ledgerSeq,
    boolean unsettled,
    Lane lane,
    @Nullable String eventId,
    Instant changedAt) {

  /** The modified time, in the source's full precision; null where the source gives none. */
  public @Nullable Instant modified() {
    return version.modified();
  }
}
