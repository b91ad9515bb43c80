package io.hooktally.service.receive;

import static io.hooktally.reconcile.source.SignatureEncoding.BASE64;
import static io.hooktally.reconcile.source.SignatureEncoding.HEX;
import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.source.SignatureConfig;
import io.hooktally.reconcile.source.SignatureEncoding;
import io.hooktally.store.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static final String SECRET = "whsec_abc123";
  private static final byte[] BODY = "{\"ü\":\"\\u0000 😀\"}".getBytes(StandardCharsets.UTF_8);

  @Test
  void takesTheWholeSecretAsKey() {
    assertThat(verify(Signing.v0(SECRET, BODY))).isTrue();
    assertThat(verify(Signing.v0("abc123", BODY))).isFalse();
  }

  @Test
  void agreesWithAVectorComputedElsewhere() {
    // printf '{"hello":"world"}' | openssl dgst -sha256 -hmac whsec_vector
    String computed = "v0=43fa378a2752bd51a1d79a9f9c76490ed5075dd78a2aa1ee024302dd9eb36d9c";
    assertThat(
            verifier(HEX, "whsec_vector").verify(List.of(computed), bytes("{\"hello\":\"world\"}")))
        .isTrue();
  }

  @Test
  void takesAnyOfSeveralSecretsAndSignatures() {
    String both = Signing.v0("new", BODY) + "," + Signing.hex("HmacSHA256", "old", BODY);
    String repeated = Signing.v0("new", BODY) + "," + Signing.v0("old", BODY);

    for (String header : List.of(both, repeated)) {
      assertThat(verifier(HEX, "old").verify(List.of(header), BODY)).isTrue();
      assertThat(verifier(HEX, "new").verify(List.of(header), BODY)).isTrue();
      assertThat(verifier(HEX, "third", "", "old").verify(List.of(header), BODY)).isTrue();
      assertThat(verifier(HEX, "third").verify(List.of(header), BODY)).isFalse();
    }
  }

  @Test
  void verifiesTheBytesNotTheirMeaning() {
    String header = Signing.v0(SECRET, BODY);
    assertThat(verifier(HEX, SECRET).verify(List.of(header), bytes("{ \"ü\":\"\\u0000 😀\"}")))
        .isFalse();
    assertThat(verify(Signing.v0(SECRET, bytes("{}")))).isFalse();
    assertThat(verifier(HEX, SECRET).verify(List.of(Signing.v0(SECRET, new byte[0])), new byte[0]))
        .isTrue();
  }

  @Test
  void wantsExactlyOneHeader() {
    String header = Signing.v0(SECRET, BODY);
    assertThat(verifier(HEX, SECRET).verify(List.of(), BODY)).isFalse();
    assertThat(verifier(HEX, SECRET).verify(List.of(header, header), BODY)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "v0",
        "v0=",
        "v0=,",
        ",",
        "v0=abc",
        "v0=zz",
        "v1=00",
        "=",
        "v0=\u00ff",
        "v0==",
        "v0=0",
        "v0=,,,,",
        "\u0000",
        "sha256=00"
      })
  void neverThrowsForWhatCannotBeRead(String header) {
    assertThat(verify(header)).isFalse();
  }

  @Test
  void refusesOtherSchemesAndLengths() {
    String hex = Signing.hex("HmacSHA256", SECRET, BODY);
    assertThat(verify(hex)).isFalse();
    assertThat(verify("v1=" + hex)).isFalse();
    assertThat(verify("v0=" + hex.substring(0, 62))).isFalse();
    assertThat(verify("v0=" + hex + "00")).isFalse();
    assertThat(verify("v0=" + Signing.hex("HmacSHA1", SECRET, BODY))).isFalse();
    assertThat(verify("v0=" + "0".repeat(7000))).isFalse();
    assertThat(verify("v0=" + hex.toUpperCase(java.util.Locale.ROOT))).isTrue();
  }

  @Test
  void readsBase64OnlyWhenConfigured() {
    String header =
        "v0=" + Base64.getEncoder().encodeToString(Signing.hmac("HmacSHA256", SECRET, BODY));
    assertThat(verifier(BASE64, SECRET).verify(List.of(header), BODY)).isTrue();
    assertThat(verify(header)).isFalse();
    assertThat(verifier(BASE64, SECRET).verify(List.of(Signing.v0(SECRET, BODY)), BODY)).isFalse();
  }

  @Test
  void withoutASecretNothingVerifies() {
    for (String blank : List.of("", " ", "\t")) {
      for (String key : List.of("x", " ")) {
        assertThat(verifier(HEX, blank).verify(List.of(Signing.v0(key, BODY)), BODY)).isFalse();
      }
      assertThat(verifier(HEX, blank).verify(List.of("v0="), BODY)).isFalse();
    }
    assertThat(verifier(HEX).verify(List.of(Signing.v0("x", BODY)), BODY)).isFalse();
  }

  @Test
  void onlyTheSchemeNoneTakesEverything() {
    assertThat(of(SignatureConfig.of("none")).verify(List.of(), BODY)).isTrue();
    assertThat(of(new SignatureConfig(null, "X-S", null, null)).verify(List.of(), BODY)).isFalse();
  }

  @Test
  void aPreviousSecretVerifiesUntilItsEnd() {
    String header = Signing.v0("old", BODY);
    String config =
        """
        {"header": "X-S", "secrets": ["new"], "previousSecrets": ["old"], "previousNotAfter": "%s"}
        """;
    assertThat(of(config(config.formatted(NOW))).verify(List.of(header), BODY)).isTrue();
    assertThat(of(config(config.formatted(NOW.minusNanos(1)))).verify(List.of(header), BODY))
        .isFalse();
    assertThat(of(config(config.formatted(""))).verify(List.of(header), BODY)).isTrue();
    assertThat(
            of(config(config.formatted(NOW.minusNanos(1))))
                .verify(List.of(Signing.v0("new", BODY)), BODY))
        .isTrue();
  }

  @Test
  void aSignedTimestampIsHeldAgainstTheClockOnEitherSide() {
    String form =
        "{\"scheme\": \"stripe\", \"header\": \"X-S\", \"secrets\": [\"k\"], \"tolerance\": \"%s\"}";
    for (long off : List.of(-60L, 0L, 60L)) {
      assertThat(of(config(form.formatted("60s"))).verify(List.of(stripe(off)), BODY)).isTrue();
    }
    for (long off : List.of(-61L, 61L)) {
      assertThat(of(config(form.formatted("60s"))).verify(List.of(stripe(off)), BODY)).isFalse();
    }
    String said = stripe(0);
    assertThat(of(config(form.formatted("60s"))).verify(List.of(said + ",t=1"), BODY))
        .as("two timestamps")
        .isFalse();
  }

  private static String stripe(long off) {
    String time = String.valueOf(NOW.getEpochSecond() + off);
    byte[] signed =
        (time + "." + new String(BODY, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    return "t=" + time + ",v1=" + Signing.hex("HmacSHA256", "k", signed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "basic | Basic dXNlcjpwYXNz | true",
        "basic | basic dXNlcjpwYXNz | true",
        "basic | Basic dXNlcjpwYXNzIQ== | false",
        "basic | Bearer user:pass | false",
        "basic | Basic | false",
        "bearer | Bearer user:pass | true",
        "bearer | Bearer user:pas | false",
        "bearer | user:pass | false"
      })
  void aCredentialIsComparedWhole(String scheme, String header, boolean verified) {
    SignatureConfig config =
        config(
            "{\"scheme\": \""
                + scheme
                + "\", \"header\": \"X-S\", \"secrets\": [\"\", \"user:pass\"]}");
    assertThat(of(config).verify(List.of(header), BODY)).isEqualTo(verified);
    assertThat(of(config).verify(List.of(header, header), BODY)).isFalse();
    assertThat(of(config).verify(List.of(), BODY)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"header\": \"X-S\"}",
        "{\"header\": \"X-S\", \"form\": \"t={timestamp},v0={signature}\", \"content\": \"{timestamp}.{body}\"}",
        "{\"scheme\": \"standard-webhooks\"}",
        "{\"scheme\": \"standard-webhooks\", \"header\": \"svix-signature\"}",
        "{\"scheme\": \"stripe\"}",
        "{\"scheme\": \"github\"}",
        "{\"scheme\": \"shopify\"}",
        "{\"scheme\": \"basic\"}",
        "{\"scheme\": \"bearer\"}",
        "{\"scheme\": \"hmac\", \"header\": \"X-S\", \"algorithm\": \"sha512\", \"secretEncoding\": \"base64\", \"content\": \"{header.webhook-id}:{timestamp}:{body}\", \"timestampHeader\": \"X-Time\"}"
      })
  void whatIsSignedAsConfiguredVerifies(String json) {
    Secret secret = new Secret("AAECAwQFBgc=");
    SignatureConfig config = config(json.replaceFirst("}$", ", \"secrets\": [\"AAECAwQFBgc=\"]}"));
    Map<String, String> sent = Map.of("webhook-id", "evt", "svix-id", "evt");
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(sent);
    headers.putAll(DeliverySigner.sign(config, secret, NOW, sent, BODY));
    SignatureVerifier verifier = SignatureVerifier.of(config, CLOCK);
    SentHeaders all = name -> headers.containsKey(name) ? List.of(headers.get(name)) : List.of();
    assertThat(verifier.verify(all, BODY)).isTrue();
    boolean signsBody = config.scheme().isHmac();
    assertThat(verifier.verify(all, bytes("{}"))).isEqualTo(!signsBody);
    if (config.content().contains("webhook-id") || config.content().contains("svix-id")) {
      headers.put("webhook-id", "other");
      headers.put("svix-id", "other");
      assertThat(verifier.verify(all, BODY)).isFalse();
    }
  }

  private static boolean verify(String header) {
    return verifier(HEX, SECRET).verify(List.of(header), BODY);
  }

  /** One header only. */
  private record Verifier(SignatureVerifier verifier) {
    boolean verify(List<String> values, byte[] body) {
      return verifier.verify(name -> name.equals("X-S") ? values : List.of(), body);
    }
  }

  private static Verifier verifier(SignatureEncoding encoding, String... secrets) {
    List<Secret> all = Arrays.stream(secrets).map(Secret::new).toList();
    return of(new SignatureConfig(null, "X-S", encoding, all));
  }

  private static Verifier of(SignatureConfig config) {
    return new Verifier(SignatureVerifier.of(config, CLOCK));
  }

  private static SignatureConfig config(String json) {
    return Signing.config(json);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
