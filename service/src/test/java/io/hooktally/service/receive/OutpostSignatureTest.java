package io.hooktally.service.receive;

import static io.hooktally.reconcile.source.SignatureEncoding.BASE64;
import static io.hooktally.reconcile.source.SignatureEncoding.HEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hooktally.reconcile.source.SignatureConfig;
import io.hooktally.reconcile.source.SignatureEncoding;
import io.hooktally.store.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutpostSignatureTest {
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
    assertThat(SignatureVerifier.of(SignatureConfig.of("none")).verify(List.of(), BODY)).isTrue();
    assertThat(
            SignatureVerifier.of(new SignatureConfig(null, "X-S", null, null))
                .verify(List.of(), BODY))
        .isFalse();
  }

  @Test
  void givesTheExpectedResultForEveryPublicVector() throws IOException {
    Optional<Path> cases = SharedCases.folder();
    assumeTrue(cases.isPresent(), "no ../shared/cases: own vectors only");
    int tried = 0;
    for (String line : Files.readAllLines(cases.get().resolve("signatures.tsv"))) {
      String[] column = line.split("\t", -1);
      if (!column[0].startsWith("op-")) {
        continue;
      }
      SignatureEncoding encoding = column[2].contains("base64") ? BASE64 : HEX;
      List<String> header = column[8].equals("(header absent)") ? List.of() : List.of(column[8]);
      boolean verified = verifier(encoding, column[3]).verify(header, body(cases.get(), column[6]));
      assertThat(verified ? "valid" : "invalid").as(column[0]).isEqualTo(column[11]);
      tried++;
    }
    assertThat(tried).isGreaterThanOrEqualTo(16);
  }

  private static byte[] body(Path cases, String column) throws IOException {
    return column.startsWith("file:")
        ? Files.readAllBytes(cases.resolve(column.substring("file:".length())))
        : bytes(JsonMapper.builder().build().readValue(column, String.class));
  }

  private static boolean verify(String header) {
    return verifier(HEX, SECRET).verify(List.of(header), BODY);
  }

  private static SignatureVerifier verifier(SignatureEncoding encoding, String... secrets) {
    return new OutpostSignature(
        new ArrayList<>(Arrays.stream(secrets).map(Secret::new).toList()), encoding);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
