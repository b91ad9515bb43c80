package io.hooktally.service.receive;

import io.hooktally.reconcile.source.SignatureScheme;
import io.hooktally.reconcile.source.SourceConfig;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the deliveries of one source are judged. Thread-safe. */
final class ReceivingSource {
  private static final Logger LOG = LoggerFactory.getLogger(ReceivingSource.class);
  private static final int LONGEST_ID = 255;

  private final SourceConfig config;
  private final boolean verifies;
  private final SignatureVerifier verifier;
  private final KeptHeaders keptHeaders;
  private final Tally tally = new Tally();
  private final Answer badSignature;
  private final Answer badEventId;

  ReceivingSource(SourceConfig config) {
    this.config = config;
    this.verifies = config.signature().scheme() != SignatureScheme.NONE;
    this.verifier = SignatureVerifier.of(config.signature());
    this.keptHeaders = new KeptHeaders(config.event().keepHeaders(), config.signature().header());
    // One text for whatever is wrong: it must not help to guess.
    this.badSignature =
        Answer.problem(
            401,
            "Exactly one header %s with a valid signature of the body is expected."
                .formatted(config.signature().header()));
    this.badEventId =
        Answer.problem(
            400,
            "Exactly one header %s with 1 to 255 visible ASCII characters is expected."
                .formatted(config.event().idHeader()));
  }

  String name() {
    return config.name();
  }

  /** Whether deliveries can be accepted at all: nothing is taken in unverified by omission. */
  boolean canVerify() {
    return !verifies || !config.signature().usable().isEmpty();
  }

  boolean verifies() {
    return verifies;
  }

  boolean isSigned(HttpServletRequest request, byte[] body) {
    return !verifies || verifier.verify(values(request, config.signature().header()), body);
  }

  /** The event id, if there is exactly one that can be one. */
  Optional<String> eventId(HttpServletRequest request) {
    List<String> values = values(request, config.event().idHeader());
    if (values.size() == 1 && isEventId(values.get(0))) {
      return Optional.of(values.get(0));
    }
    if (LOG.isDebugEnabled()) {
      LOG.debug("{}: no usable {} among {}", name(), config.event().idHeader(), similar(request));
    }
    return Optional.empty();
  }

  /** The topic, where a header carries one. */
  @Nullable String topic(HttpServletRequest request) {
    if (config.event().topicHeader().isEmpty()) {
      return null;
    }
    List<String> values = values(request, config.event().topicHeader());
    return values.size() == 1 && !values.get(0).isBlank() ? values.get(0) : null;
  }

  KeptHeaders keptHeaders() {
    return keptHeaders;
  }

  Tally tally() {
    return tally;
  }

  Answer badSignature() {
    return badSignature;
  }

  Answer badEventId() {
    return badEventId;
  }

  private static boolean isEventId(String value) {
    return !value.isEmpty()
        && value.length() <= LONGEST_ID
        && value.chars().allMatch(c -> c >= 0x21 && c <= 0x7e);
  }

  private static List<String> values(HttpServletRequest request, String header) {
    return Collections.list(request.getHeaders(header));
  }

  // A sender may write the prefix and the name in another way.
  private static List<String> similar(HttpServletRequest request) {
    return Collections.list(request.getHeaderNames()).stream()
        .filter(name -> name.toLowerCase(Locale.ROOT).endsWith("id"))
        .toList();
  }
}
