package io.hooktally.store.replica;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rule 5, newest wins: which of two states of an entity is newer, by the source's clock and never
 * by ours. Pure; docs/guarantees.md names the table of interleavings that tests it.
 */
final class VersionRule {
  /** How far ahead of the source's clock a payload may be before it is read instead of believed. */
  static final Duration BELIEVED_AHEAD = Duration.ofHours(1);

  /** What the rule says of a change. */
  enum Verdict {
    /** The change is newer. */
    NEWER,
    /** The change is older, or as old and not stronger. */
    OLDER,
    /** It cannot be told without a read. */
    TIE
  }

  private VersionRule() {}

  /** Decides; {@code current} is null where the replica has no row. */
  static Verdict decide(@Nullable Entity current, Change change) {
    if (change instanceof Change.Payload payload) {
      return payload(current, payload);
    } else if (change instanceof Change.Read read) {
      return read(current, read);
    } else if (change instanceof Change.Gone gone) {
      return gone(current, gone);
    }
    return unsettled(current, (Change.Unsettled) change);
  }

  // A payload has no read number: it loses every tie, and what it cannot decide is read.
  private static Verdict payload(@Nullable Entity current, Change.Payload payload) {
    Instant modified = payload.modified();
    if (modified == null || modified.isAfter(payload.sourceNow().plus(BELIEVED_AHEAD))) {
      return Verdict.TIE;
    }
    if (current == null) {
      return Verdict.NEWER;
    }
    Instant ours = current.modified();
    if (current.deleted() || current.version().epoch() > 0 || ours == null) {
      return Verdict.TIE;
    }
    int order = modified.compareTo(ours);
    return order > 0 ? Verdict.NEWER : order < 0 ? Verdict.OLDER : Verdict.TIE;
  }

  private static Verdict read(@Nullable Entity current, Change.Read read) {
    if (current == null) {
      return Verdict.NEWER;
    }
    Version ours = current.version();
    ReadTicket ticket = read.ticket();
    if (ticket.epoch() != ours.epoch()) {
      return ticket.epoch() > ours.epoch() ? Verdict.NEWER : Verdict.OLDER;
    }
    Instant theirs = read.modified();
    Instant held = ours.modified();
    // Over a tombstone only the order of reads counts: an entity may come back with an older time.
    if (!current.deleted() && theirs != null && held != null && !theirs.equals(held)) {
      return theirs.isAfter(held) ? Verdict.NEWER : Verdict.OLDER;
    }
    return ticket.number() > ours.readNumber() ? Verdict.NEWER : Verdict.OLDER;
  }

  private static Verdict gone(@Nullable Entity current, Change.Gone gone) {
    if (current == null) {
      return Verdict.NEWER;
    }
    Version ours = current.version();
    ReadTicket ticket = gone.ticket();
    if (ticket.epoch() != ours.epoch()) {
      return ticket.epoch() > ours.epoch() ? Verdict.NEWER : Verdict.OLDER;
    }
    if (ticket.number() <= ours.readNumber()) {
      return Verdict.OLDER;
    }
    // A payload may have arrived after the read was sent: its state is newer than the 404, or not;
    // a deletion is never concluded from doubt, so the source is asked again.
    boolean payloadSince =
        !current.deleted()
            && ours.readNumber() == 0
            && !(ticket.known() && Objects.equals(ticket.knownModified(), ours.modified()));
    return payloadSince ? Verdict.TIE : Verdict.NEWER;
  }

  private static Verdict unsettled(@Nullable Entity current, Change.Unsettled change) {
    if (current == null) {
      return Verdict.NEWER;
    }
    Instant theirs = change.modified();
    Instant held = current.modified();
    boolean states = change.body() != null && !current.deleted();
    if (states && theirs != null && held != null && !theirs.equals(held)) {
      return theirs.isAfter(held) ? Verdict.NEWER : Verdict.OLDER;
    }
    Long ledgerSeq = current.ledgerSeq();
    return ledgerSeq == null || change.ledgerSeq() > ledgerSeq ? Verdict.NEWER : Verdict.OLDER;
  }
}
