package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.hooktally.store.Secret;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How deliveries are verified. Short form: {@code signature: none}. What is left out is as the
 * scheme has it.
 *
 * @param scheme default {@code outpost}
 * @param header the header that carries the signature
 * @param encoding how the header writes a signature
 * @param secrets any of them may have signed; blank ones are not configured and never verify
 * @param previousSecrets the same, until {@code previousNotAfter}
 * @param previousNotAfter ISO time of the end of a rotation; blank: no end
 * @param algorithm default {@code sha256}
 * @param form how the header is written, such as {@code t={timestamp},v1={signature}}; {@link
 *     SignatureTemplates}
 * @param content what is signed, such as {@code {timestamp}.{body}}
 * @param timestampHeader carries the timestamp where the signature's own header does not
 * @param secretEncoding what of a secret is the key
 * @param tolerance how far a signed timestamp may be from now, either way; default 5 min
 */
public record SignatureConfig(
    SignatureScheme scheme,
    String header,
    SignatureEncoding encoding,
    List<Secret> secrets,
    List<Secret> previousSecrets,
    String previousNotAfter,
    SignatureAlgorithm algorithm,
    String form,
    String content,
    String timestampHeader,
    SecretEncoding secretEncoding,
    @JsonDeserialize(using = DurationReader.class) Duration tolerance) {
  private static final Duration LONGEST_TOLERANCE = Duration.ofDays(1);

  /** Fills in defaults. */
  @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
  public SignatureConfig(
      @JsonProperty("scheme") @Nullable SignatureScheme scheme,
      @JsonProperty("header") @Nullable String header,
      @JsonProperty("encoding") @Nullable SignatureEncoding encoding,
      @JsonProperty("secrets") @Nullable List<Secret> secrets,
      @JsonProperty("previousSecrets") @Nullable List<Secret> previousSecrets,
      @JsonProperty("previousNotAfter") @Nullable String previousNotAfter,
      @JsonProperty("algorithm") @Nullable SignatureAlgorithm algorithm,
      @JsonProperty("form") @Nullable String form,
      @JsonProperty("content") @Nullable String content,
      @JsonProperty("timestampHeader") @Nullable String timestampHeader,
      @JsonProperty("secretEncoding") @Nullable SecretEncoding secretEncoding,
      @JsonProperty("tolerance") @JsonDeserialize(using = DurationReader.class)
          @Nullable Duration tolerance) {
    this.scheme = Objects.requireNonNullElse(scheme, SignatureScheme.OUTPOST);
    this.header = Defaults.text(header, this.scheme.header);
    this.encoding = Objects.requireNonNullElse(encoding, this.scheme.encoding);
    this.secrets = Defaults.list(secrets, List.of());
    this.previousSecrets = Defaults.list(previousSecrets, List.of());
    this.previousNotAfter = Defaults.text(previousNotAfter, "");
    this.algorithm = Objects.requireNonNullElse(algorithm, SignatureAlgorithm.SHA256);
    this.form = Defaults.text(form, this.scheme.form);
    this.content = Defaults.text(content, content(this.scheme, this.header));
    this.timestampHeader =
        Defaults.text(timestampHeader, timestampHeader(this.scheme, this.header));
    this.secretEncoding = Objects.requireNonNullElse(secretEncoding, this.scheme.secretEncoding);
    this.tolerance = Objects.requireNonNullElse(tolerance, Duration.ofMinutes(5));
  }

  /** With everything else as the scheme has it. */
  public SignatureConfig(
      @Nullable SignatureScheme scheme,
      @Nullable String header,
      @Nullable SignatureEncoding encoding,
      @Nullable List<Secret> secrets) {
    this(scheme, header, encoding, secrets, null, null, null, null, null, null, null, null);
  }

  /** The short form. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static SignatureConfig of(String scheme) {
    String name = scheme.strip().toUpperCase(Locale.ROOT).replace('-', '_');
    return new SignatureConfig(SignatureScheme.valueOf(name), null, null, null);
  }

  // Standard Webhooks: id and timestamp stand in headers named like the signature's.
  private static String content(SignatureScheme scheme, String header) {
    return scheme.content.replace("{id}", "{header." + sibling(header, "id") + "}");
  }

  private static String timestampHeader(SignatureScheme scheme, String header) {
    return scheme == SignatureScheme.STANDARD_WEBHOOKS ? sibling(header, "timestamp") : "";
  }

  private static String sibling(String header, String end) {
    return header.substring(0, header.lastIndexOf('-') + 1) + end;
  }

  /** The secrets that can verify, those of a rotation that has not ended included. */
  public List<Secret> usable(Instant now) {
    Stream<Secret> previous =
        now.isAfter(previousEnd()) ? Stream.empty() : previousSecrets.stream();
    return Stream.concat(secrets.stream(), previous).filter(Secret::isConfigured).toList();
  }

  /** Until when the previous secrets verify; far away where no end is configured. */
  public Instant previousEnd() {
    return previousNotAfter.isEmpty() ? Instant.MAX : Instant.parse(previousNotAfter);
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    problems.header("header", header, scheme != SignatureScheme.NONE);
    problems.header("timestampHeader", timestampHeader, false);
    problems.positive("tolerance", tolerance, LONGEST_TOLERANCE);
    try {
      if (!previousNotAfter.isEmpty()) {
        Instant.parse(previousNotAfter);
      }
    } catch (DateTimeException e) {
      problems.add(
          "previousNotAfter",
          "'" + previousNotAfter + "'",
          "a time in UTC",
          "Write for example 2026-12-31T00:00:00Z.");
    }
    if (!scheme.isFree()
        && !(form.equals(scheme.form) && content.equals(content(scheme, header)))) {
      problems.add(
          "form, content",
          "of their own",
          "none, since scheme " + scheme.text() + " says both",
          "Leave them out, or choose scheme hmac.");
    } else if (scheme.isHmac()) {
      SignatureTemplates.problems(this).forEach(wrong -> wrong.addTo(problems));
    }
    if (scheme.isHmac() && !keysCanBeRead()) {
      problems.add(
          "secrets",
          "a secret of another form",
          "secrets in " + secretEncoding.name().toLowerCase(Locale.ROOT),
          "Copy the secret whole, or set secretEncoding.");
    }
    return problems.found();
  }

  private boolean keysCanBeRead() {
    return Stream.concat(secrets.stream(), previousSecrets.stream())
        .filter(Secret::isConfigured)
        .allMatch(secret -> SigningKeys.bytes(secret, secretEncoding).isPresent());
  }
}
