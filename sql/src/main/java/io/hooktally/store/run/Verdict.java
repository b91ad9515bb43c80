package io.hooktally.store.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What confirmation makes of a suspect.
 *
 * @param state {@code CONFIRMED}, {@code DISSOLVED} or {@code MOVED_ON}
 * @param kind how they differ, when confirmed
 * @param reading the read to fix it from, when confirmed
 * @param differences the fields that differ
 * @param note why, for people
 */
public record Verdict(
    SuspectState state,
    @Nullable Kind kind,
    @Nullable Reading reading,
    List<Difference> differences,
    @Nullable String note) {
  /** It counts. */
  public static Verdict confirmed(Kind kind, Reading reading, List<Difference> differences) {
    return new Verdict(SuspectState.CONFIRMED, kind, reading, differences, null);
  }

  /** It does not count: they agree after all. */
  public static Verdict dissolved(String note) {
    return new Verdict(SuspectState.DISSOLVED, null, null, List.of(), note);
  }

  /** It does not count: the source changed it since. */
  public static Verdict movedOn(String note) {
    return new Verdict(SuspectState.MOVED_ON, null, null, List.of(), note);
  }
}
