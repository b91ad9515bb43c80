package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.hooktally.store.Secret;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How deliveries are verified. Short form: {@code signature: none}.
 *
 * @param scheme default {@code outpost}
 * @param header the header that carries the signature
 * @param encoding how the header writes a signature; default {@code hex}
 * @param secrets any of them may have signed; blank ones are not configured and never verify
 */
public record SignatureConfig(
    SignatureScheme scheme, String header, SignatureEncoding encoding, List<Secret> secrets) {
  /** Fills in defaults. */
  @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
  public SignatureConfig(
      @JsonProperty("scheme") @Nullable SignatureScheme scheme,
      @JsonProperty("header") @Nullable String header,
      @JsonProperty("encoding") @Nullable SignatureEncoding encoding,
      @JsonProperty("secrets") @Nullable List<Secret> secrets) {
    this.scheme = Objects.requireNonNullElse(scheme, SignatureScheme.OUTPOST);
    this.header = Defaults.text(header, "");
    this.encoding = Objects.requireNonNullElse(encoding, SignatureEncoding.HEX);
    this.secrets = Defaults.list(secrets, List.of());
  }

  /** The short form. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static SignatureConfig of(String scheme) {
    return new SignatureConfig(
        SignatureScheme.valueOf(scheme.strip().toUpperCase(Locale.ROOT)), null, null, null);
  }

  /** The secrets that can verify. */
  public List<Secret> usable() {
    return secrets.stream().filter(Secret::isConfigured).toList();
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    problems.header("header", header, scheme != SignatureScheme.NONE);
    return problems.found();
  }
}
