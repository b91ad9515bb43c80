package io.hooktally.service.receive;

import io.hooktally.reconcile.source.MissingId;
import io.hooktally.reconcile.source.SignatureScheme;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.store.ContentEncoding;
import io.hooktally.store.inbox.Delivery;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
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
  private final @Nullable BodyFacts inBody;
  private final KeptHeaders keptHeaders;
  private final RefusedSamples samples;
  private final Tally tally = new Tally();
  private final Answer badSignature;
  private final Answer badEventId;

  ReceivingSource(SourceConfig config, InstantSource clock) {
    this.config = config;
    this.verifies = config.signature().scheme() != SignatureScheme.NONE;
    this.verifier = SignatureVerifier.of(config.signature(), clock);
    this.inBody =
        config.event().id().isEmpty()
            ? null
            : new BodyFacts(config.event().id(), config.event().topic());
    SecretHeaders secrets = new SecretHeaders(config.signature().header());
    this.keptHeaders = new KeptHeaders(config.event().keepHeaders(), secrets);
    this.samples = new RefusedSamples(config.name(), secrets, clock, new Random());
    // One text for whatever is wrong: it must not help to guess.
    this.badSignature =
        Answer.problem(
            401,
            (config.signature().scheme().isHmac()
                    ? "Exactly one header %s with a valid signature of the body is expected."
                    : "Exactly one header %s with valid credentials is expected.")
                .formatted(config.signature().header()));
    this.badEventId =
        Answer.problem(
            400,
            (inBody == null
                    ? "Exactly one header %s with 1 to 255 visible ASCII characters is expected."
                    : "An event id of 1 to 255 visible ASCII characters is expected in the body%s.")
                .formatted(
                    inBody == null || config.event().idHeader().isEmpty()
                        ? config.event().idHeader()
                        : " or in one header " + config.event().idHeader()));
  }

  String name() {
    return config.name();
  }

  /** Whether deliveries can be accepted at all: nothing is taken in unverified by omission. */
  boolean canVerify() {
    return verifier.canVerify();
  }

  boolean verifies() {
    return verifies;
  }

  boolean isSigned(HttpServletRequest request, byte[] body) {
    return verifier.verify(name -> values(request, name), body);
  }

  /**
   * What the delivery says of its event, if there is exactly one id that can be one. Where there is
   * none, the body's hash may stand for it.
   */
  Optional<Named> event(HttpServletRequest request, byte[] body, byte[] sha256) {
    String header = config.event().idHeader();
    List<String> values = header.isEmpty() ? List.of() : values(request, header);
    String topic = topic(request);
    if (values.size() == 1 && isEventId(values.get(0))) {
      return Optional.of(new Named(values.get(0), topic));
    }
    BodyFacts facts = inBody;
    if (facts != null && values.isEmpty()) {
      Optional<Named> found = facts.read(request.getHeader(ContentEncoding.HEADER), body);
      if (found.isPresent() || !takesHash()) {
        return found
            .filter(named -> isEventId(named.id()))
            .map(named -> topic == null ? named : new Named(named.id(), topic));
      }
    }
    if (takesHash() && values.isEmpty()) {
      return Optional.of(new Named(Delivery.idByBody(sha256), topic));
    }
    if (LOG.isDebugEnabled()) {
      LOG.debug("{}: no usable {} among {}", name(), header, similar(request));
    }
    return Optional.empty();
  }

  private boolean takesHash() {
    return config.event().missingId() == MissingId.HASH;
  }

  /** An event id, and the topic where the delivery shows one before it is read. */
  record Named(String id, @Nullable String topic) {}

  private @Nullable String topic(HttpServletRequest request) {
    if (config.event().topicHeader().isEmpty()) {
      return null;
    }
    List<String> values = values(request, config.event().topicHeader());
    return values.size() == 1 && !values.get(0).isBlank() ? values.get(0) : null;
  }

  KeptHeaders keptHeaders() {
    return keptHeaders;
  }

  /** Samples of what is refused. */
  RefusedSamples samples() {
    return samples;
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
