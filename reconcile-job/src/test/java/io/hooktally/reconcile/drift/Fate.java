package io.hooktally.reconcile.drift;

import io.hooktally.store.run.Kind;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** What becomes of one entity over the source's day, and what a run must report of it. */
enum Fate {
  // ---- a faultless day
  QUIET,
  UPDATED,
  CREATED,
  DELETED,
  REVIVED,
  /** Every event is delivered twice. */
  DUPLICATED,
  /** Events arrive in any order. */
  REORDERED,
  TWICE_IN_A_SECOND,
  TWICE_AT_ONE_INSTANT,
  /** A payload older than the deletion arrives after it. */
  LATE_PAYLOAD_AFTER_DELETION,
  /** The replica holds other notations of the same numbers and times, and a null for a gap. */
  OTHER_NOTATION,
  /** The body holds what the database refuses. */
  ALTERED,
  /** The source dates a change two hours ahead. */
  FUTURE,
  /** Counted by the list and left out of its pages. */
  HIDDEN,
  UNTOUCHED_FOR_DAYS,

  // ---- what a run of this window does not cover
  /** Differs, but was last modified days before the window. */
  DIFFERENT_FOR_DAYS,
  EXTRA_FOR_DAYS,
  /** Created a microsecond before the window, its event lost. */
  JUST_BEFORE_THE_WINDOW,
  /** In a window with a past end: created right at the end, its event lost. */
  AT_THE_END_OF_THE_WINDOW,
  /** In a window with a past end: changed after it, the event lost. */
  MOVED_BEYOND_THE_WINDOW,
  EXTRA_AFTER_THE_END,

  // ---- lost events
  LOST_CREATION(Kind.MISSING),
  LOST_AT_THE_START_OF_THE_WINDOW(Kind.MISSING),
  LOST_BEFORE_THE_END_OF_THE_WINDOW(Kind.MISSING),
  LOST_UPDATE(Kind.STALE),
  /** The first change of the day to an entity untouched for days. */
  LOST_FIRST_UPDATE(Kind.STALE),
  /** Earlier events arrived in another order, the last is lost. */
  LOST_LAST_OF_MANY(Kind.STALE),
  LOST_SECOND_OF_A_SECOND(Kind.STALE),
  LOST_BY_A_NANOSECOND(Kind.STALE),
  LOST_SECOND_OF_AN_INSTANT(Kind.DIFFERENT),
  LOST_DELETION(Kind.EXTRA),
  LOST_RETURN(Kind.MISSING),
  LOST_FUTURE(Kind.STALE),

  // ---- a replica changed behind our back
  CORRUPTED(Kind.DIFFERENT),
  FIELD_GONE(Kind.DIFFERENT),
  FOURTH_DECIMAL(Kind.DIFFERENT),
  BEYOND_DOUBLES(Kind.DIFFERENT),
  ROW_GONE(Kind.MISSING),
  FALSE_TOMBSTONE(Kind.MISSING),
  GHOST(Kind.EXTRA),
  TIME_SET_BACK(Kind.STALE),
  TIME_SET_BACK_FOR_DAYS(Kind.STALE),
  TIME_SET_AHEAD(Kind.AHEAD),
  /** The source's time lies before the window, ours within. */
  TIME_SET_INTO_THE_WINDOW(Kind.AHEAD);

  /** Null: nothing. */
  final @Nullable Kind reported;

  Fate() {
    this.reported = null;
  }

  Fate(Kind reported) {
    this.reported = reported;
  }

  boolean isFault() {
    return !EnumSet.range(QUIET, UNTOUCHED_FOR_DAYS).contains(this);
  }

  /** Whether it needs a window that ended in the past, or cannot have one. */
  boolean fits(boolean pastEnd) {
    return switch (this) {
      case AT_THE_END_OF_THE_WINDOW, MOVED_BEYOND_THE_WINDOW, LOST_BEFORE_THE_END_OF_THE_WINDOW ->
          pastEnd;
      case LOST_FUTURE -> !pastEnd;
      default -> true;
    };
  }
}
