package io.hooktally.reconcile;

import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.Watermarks;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which window a run looks at, once the source has told its time. */
final class WindowChoice {
  private final SourceAccess source;
  private final ReconcileSettings settings;
  private final Watermarks watermarks;

  WindowChoice(SourceAccess source, ReconcileSettings settings, Watermarks watermarks) {
    this.source = source;
    this.settings = settings;
    this.watermarks = watermarks;
  }

  Window of(RunRequest request, Run run) {
    Instant from = run.from();
    Instant to = run.to();
    if (run.slicedTo() != null && from != null && to != null) {
      // Its first slices are done: what is newer than they are belongs to later windows.
      return new Window(from, to);
    }
    Window asked = request.window();
    if (asked != null) {
      refuseUnsettled(asked, source);
      return asked;
    }
    Instant latest = latest(source);
    Instant first = run.reason() == RunReason.SCHEDULED ? scheduledFrom(run) : Window.BEGINNING;
    return new Window(first.isBefore(latest) ? first : latest, latest);
  }

  // A run that is taken up again begins where it began.
  private Instant scheduledFrom(Run run) {
    Instant before = run.from();
    if (before != null) {
      return before;
    }
    return watermarks
        .find(run.source(), run.entityType())
        .map(mark -> notAhead(run, mark).minus(settings.lookback()))
        .orElseGet(
            () ->
                source
                    .client()
                    .now()
                    .atZone(settings.zone())
                    .toLocalDate()
                    .minusDays(1)
                    .atStartOfDay(settings.zone())
                    .toInstant());
  }

  // A wrong Date may have moved it there once: every window up to then would be empty, and agree.
  private Instant notAhead(Run run, Instant mark) {
    Instant now = source.client().now();
    if (mark.isAfter(now)) {
      throw new ReconcileException(
          "the watermark of "
              + run.source()
              + "/"
              + run.entityType()
              + " ("
              + mark
              + ") is later than the source's now ("
              + now
              + "): what changes until then would never be looked at. Set it back with"
              + " `watermark set`, to where reports were right last");
    }
    return mark;
  }

  static void refuseUnsettled(@Nullable Window window, SourceAccess source) {
    Instant latest = latest(source);
    if (window != null && window.to().isAfter(latest)) {
      throw new RunRefusedException(
          "'to' may be at most "
              + latest
              + ": the source's now less settle ("
              + source.config().settle()
              + ")");
    }
  }

  private static Instant latest(SourceAccess source) {
    return source.client().now().minus(source.config().settle());
  }
}
