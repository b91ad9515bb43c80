package io.hooktally.reconcile.report;

import io.hooktally.reconcile.report.ReportPage.Fact;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import io.hooktally.store.run.RunProgress;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The circumstances of a run in words. */
final class RunFacts {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private RunFacts() {}

  static List<Fact> of(Run run) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("window", time(run.from()) + " to " + time(run.to())));
    facts.add(
        new Fact(
            "mode",
            switch (run.mode()) {
              case FIX -> "fix: what differs is brought to the source's state";
              case REPORT -> "report: nothing is changed";
            }));
    facts.add(new Fact("state", run.state().text()));
    facts.add(new Fact("began", time(run.startedAt())));
    facts.add(new Fact("ended", run.endedAt() == null ? "not yet" : time(run.endedAt())));
    if (run.endedAt() != null) {
      facts.add(new Fact("took", duration(Duration.between(run.startedAt(), run.endedAt()))));
    }
    RunProgress asked = run.progress();
    facts.add(new Fact("requests to the source", String.valueOf(asked.requests())));
    facts.add(new Fact("read from it", bytes(asked.bytes())));
    if (!asked.throttled().isZero()) {
      facts.add(new Fact("waited for its limits", duration(asked.throttled())));
    }
    if (run.resumed() > 0) {
      facts.add(new Fact("taken up again", run.resumed() + " times"));
    }
    facts.add(new Fact("by", run.holder()));
    return facts;
  }

  static String kinds(RunCounts counts) {
    return Arrays.stream(Kind.values())
        .filter(kind -> counts.byKind().getOrDefault(kind, 0L) > 0)
        .map(kind -> counts.byKind().get(kind) + " " + kind.text())
        .collect(Collectors.joining(", "));
  }

  static String time(@Nullable Instant at) {
    return at == null ? "(not known)" : TIME.format(at.truncatedTo(ChronoUnit.SECONDS));
  }

  static String bytes(long bytes) {
    return bytes < 10_000
        ? bytes + " bytes"
        : bytes < 10_000_000 ? bytes / 1000 + " kB" : bytes / 1_000_000 + " MB";
  }

  static String duration(Duration length) {
    if (length.compareTo(Duration.ofMinutes(1)) < 0) {
      return String.format(Locale.ROOT, "%.1f s", length.toMillis() / 1000.0);
    }
    return (length.toHours() == 0 ? "" : length.toHours() + " h ")
        + length.toMinutesPart()
        + " min "
        + length.toSecondsPart()
        + " s";
  }
}
