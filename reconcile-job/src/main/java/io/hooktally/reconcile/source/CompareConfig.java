package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison looks at. In all pointers a segment {@code *} stands for any one key or index.
 *
 * @param ignore pointers whose values may differ; all below them too
 * @param only pointers that are compared, with all below them, and nothing else; none: everything
 * @param tolerance by pointer, how far two numbers may be apart and still be equal
 * @param sets pointers to arrays whose order means nothing; how often a value occurs does
 * @param nullIsMissing whether null and a missing key are one
 * @param times by pointer, how a time is written there: see {@link TimeNotation}
 * @param depth how much of an entity is compared
 */
public record CompareConfig(
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> ignore,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> only,
    Map<String, BigDecimal> tolerance,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> sets,
    Boolean nullIsMissing,
    Map<String, String> times,
    CompareDepth depth) {
  /** Fills in defaults. */
  public CompareConfig(
      @Nullable List<String> ignore,
      @Nullable List<String> only,
      @Nullable Map<String, BigDecimal> tolerance,
      @Nullable List<String> sets,
      @Nullable Boolean nullIsMissing,
      @Nullable Map<String, String> times,
      @Nullable CompareDepth depth) {
    this.ignore = Defaults.list(ignore, List.of());
    this.only = Defaults.list(only, List.of());
    this.tolerance = Defaults.map(tolerance);
    this.sets = Defaults.list(sets, List.of());
    this.nullIsMissing = Objects.requireNonNullElse(nullIsMissing, true);
    this.times = Defaults.map(times);
    this.depth = Objects.requireNonNullElse(depth, CompareDepth.LIST);
  }

  /** Compares everything that the list's rows carry. */
  public static CompareConfig defaults() {
    return new CompareConfig(null, null, null, null, null, null, null);
  }

  /** The same, and looks at none of these pointers either. */
  public CompareConfig ignoring(List<String> more) {
    List<String> all =
        java.util.stream.Stream.concat(ignore.stream(), more.stream()).distinct().toList();
    return new CompareConfig(all, only, tolerance, sets, nullIsMissing, times, depth);
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    problems.pointers("ignore", ignore, false);
    problems.pointers("only", only, false);
    problems.pointers("tolerance", List.copyOf(tolerance.keySet()), false);
    problems.pointers("sets", sets, false);
    problems.pointers("times", List.copyOf(times.keySet()), false);
    tolerance.forEach(
        (pointer, most) -> {
          if (most.signum() < 0) {
            problems.add(
                "tolerance." + pointer,
                most.toPlainString(),
                "a number of zero or more",
                "Write for example 0.01.");
          }
        });
    times.forEach(
        (pointer, notation) -> {
          if (!TimeNotation.isKnown(notation)) {
            problems.add(
                "times." + pointer,
                "'" + notation + "'",
                "iso, epoch_seconds, epoch_millis, epoch_micros, or a pattern of letters as"
                    + " java.time.format.DateTimeFormatter has it",
                "Write for example epoch_millis, or EEE MMM dd HH:mm:ss Z yyyy.");
          }
        });
    return problems.found();
  }
}
