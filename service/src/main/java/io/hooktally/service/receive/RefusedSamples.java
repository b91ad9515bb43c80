package io.hooktally.service.receive;

import io.hooktally.store.inbox.Refused;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * Samples of the refused deliveries to one source, between two looks: a few of each outcome, each
 * as likely as any other, so that somebody's flood does not hide why a platform's deliveries fail.
 * Thread-safe.
 */
final class RefusedSamples {
  /** Samples of one outcome between two looks. */
  static final int MOST = 3;

  private static final int MOST_HEADERS = 50;
  private static final int LONGEST_VALUE = 300;

  private final String source;
  private final SecretHeaders secrets;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Map<Outcome, List<Refused>> samples = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Integer> seen = new EnumMap<>(Outcome.class);

  RefusedSamples(
      String source, SecretHeaders secrets, InstantSource clock, RandomGenerator random) {
    this.source = source;
    this.secrets = secrets;
    this.clock = clock;
    this.random = random;
  }

  /** A delivery whose body was not read to its end. */
  void refused(Outcome outcome, HttpFields headers, long announced) {
    sample(outcome, () -> shown(headers), () -> null, Math.max(0, announced));
  }

  /** A delivery whose body was not read to its end. */
  void refused(Outcome outcome, HttpServletRequest request, long size) {
    sample(outcome, () -> shown(request), () -> null, Math.max(0, size));
  }

  /** A delivery that came whole. */
  void refused(Outcome outcome, HttpServletRequest request, byte[] body) {
    sample(
        outcome,
        () -> shown(request),
        () -> HexFormat.of().formatHex(Reception.sha256(body)),
        body.length);
  }

  /** Takes what was sampled since the last call. */
  List<Refused> take() {
    synchronized (samples) {
      List<Refused> taken = samples.values().stream().flatMap(List::stream).toList();
      samples.clear();
      seen.clear();
      return taken;
    }
  }

  // Only what becomes a sample is read and hashed: a flood costs a number drawn.
  private void sample(
      Outcome outcome,
      Supplier<Map<String, List<String>>> headers,
      Supplier<@Nullable String> hash,
      long size) {
    int place;
    synchronized (samples) {
      int before = seen.merge(outcome, 1, Integer::sum) - 1;
      place = before < MOST ? before : random.nextInt(before + 1);
    }
    if (place >= MOST) {
      return;
    }
    Refused sample =
        new Refused(clock.instant(), source, outcome.metric(), headers.get(), hash.get(), size);
    synchronized (samples) {
      List<Refused> some = samples.computeIfAbsent(outcome, none -> new ArrayList<>(MOST));
      if (place < some.size()) {
        some.set(place, sample);
      } else if (some.size() < MOST) {
        some.add(sample);
      }
    }
  }

  private Map<String, List<String>> shown(HttpFields headers) {
    Map<String, List<String>> shown = new LinkedHashMap<>();
    for (HttpField field : headers) {
      String value = field.getValue();
      show(shown, field.getName(), value == null ? List.of() : List.of(value));
    }
    return shown;
  }

  private Map<String, List<String>> shown(HttpServletRequest request) {
    Map<String, List<String>> shown = new LinkedHashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      if (shown.keySet().stream().noneMatch(name::equalsIgnoreCase)) {
        show(shown, name, Collections.list(request.getHeaders(name)));
      }
    }
    return shown;
  }

  private void show(Map<String, List<String>> shown, String name, List<String> values) {
    if (shown.size() < MOST_HEADERS || shown.containsKey(name)) {
      shown
          .computeIfAbsent(printable(name), none -> new ArrayList<>())
          .addAll(
              values.stream()
                  .map(value -> secrets.isSecret(name) ? secrets.shape(value) : printable(value))
                  .toList());
    }
  }

  // The database takes no NUL, and a terminal no control characters.
  private static String printable(String text) {
    String cut = text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "…";
    return cut.chars().anyMatch(Character::isISOControl)
        ? cut.replaceAll("\\p{Cntrl}", "\ufffd")
        : cut;
  }
}
