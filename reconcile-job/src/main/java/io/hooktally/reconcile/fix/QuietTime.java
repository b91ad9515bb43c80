package io.hooktally.reconcile.fix;

import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Until when an event may be under way that explains a suspect, by the source's clock. Pure.
 *
 * @param listedUntil when the listing was complete: what it did not show was deleted by then
 * @param settle how long after a change it counts as quiet
 */
record QuietTime(Instant listedUntil, Duration settle) {
  /** Nothing where no event has to be waited for. */
  Optional<Instant> of(Disagreement suspect, Reading reading) {
    Instant change = suspect.listedModified();
    if (reading.body() == null && change == null && !suspect.earlier()) {
      change = listedUntil;
    }
    Instant known = reading.ticket().knownModified();
    Instant theirs = reading.modified();
    if (known != null && theirs != null && known.isAfter(theirs)) {
      // Ahead: the API may not show yet what its own webhook has brought.
      change = change == null || known.isAfter(change) ? known : change;
    }
    return Optional.ofNullable(change).map(quiet -> quiet.plus(settle));
  }
}
