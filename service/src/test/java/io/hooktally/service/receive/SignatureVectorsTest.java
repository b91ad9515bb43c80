package io.hooktally.service.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.service.SharedCases;
import io.hooktally.store.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Signatures of many platforms, computed elsewhere. */
class SignatureVectorsTest {
  // Asymmetric, or over parts of the body: not supported.
  private static final List<String> UNSUPPORTED = List.of("sw-18", "sg-01");

  @Test
  void eachGivesItsExpectedResult() throws IOException {
    Optional<Path> cases = SharedCases.folder();
    assumeTrue(cases.isPresent(), "no ../shared/cases: own vectors only");
    List<String> wrong = new ArrayList<>();
    int tried = 0;
    for (String line : Files.readAllLines(cases.get().resolve("signatures.tsv"))) {
      String[] column = line.split("\t", -1);
      if (column[0].equals("id") || UNSUPPORTED.contains(column[0])) {
        continue;
      }
      boolean verified = verify(cases.get(), column);
      if (!column[11].equals("either") && verified != column[11].equals("valid")) {
        wrong.add(column[0] + " " + column[2] + ": " + verified + ", but " + column[11]);
      }
      tried++;
    }
    assertThat(wrong).isEmpty();
    assertThat(tried).isGreaterThanOrEqualTo(80);
  }

  private static boolean verify(Path cases, String[] column) throws IOException {
    ObjectNode json = Json.mapper().createObjectNode();
    scheme(column[2], json);
    String header = column[7].replaceFirst("[ /].*", "").replace("<prefix>", "X-Shop-");
    json.put("header", header);
    if (!column[10].isEmpty()) {
      json.put("tolerance", column[10] + "s");
    }
    json.putArray("secrets").add(column[3]);
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    if (!column[8].equals("(header absent)")) {
      headers.put(header, column[8]);
    }
    String prefix = header.substring(0, header.lastIndexOf('-') + 1);
    put(headers, prefix + "id", column[4]);
    put(headers, prefix + "timestamp", column[5]);
    put(headers, "X-Slack-Request-Timestamp", column[5]);
    long now = column[9].isEmpty() ? 1_700_000_000L : Long.parseLong(column[9]);
    return SignatureVerifier.of(
            Signing.config(json.toString()), InstantSource.fixed(Instant.ofEpochSecond(now)))
        .verify(
            name -> headers.containsKey(name) ? List.of(headers.get(name)) : List.of(),
            body(cases, column[6]));
  }

  private static void put(Map<String, String> headers, String name, String value) {
    if (!value.isEmpty()) {
      headers.putIfAbsent(name, value);
    }
  }

  private static void scheme(String text, ObjectNode json) {
    String name = text.replaceFirst(" .*", "");
    switch (name) {
      case "outpost-default" -> json.put("scheme", "outpost");
      case "outpost-template" -> {
        boolean data = text.contains("data=");
        json.put("scheme", "outpost");
        json.put(
            "form",
            data
                ? "t={timestamp},id={id},topic={topic},v0={signature}"
                : "t={timestamp},v0={signature}");
        json.put(
            "content",
            data ? "ts={timestamp};id={id};topic={topic};data={body}" : "{timestamp}.{body}");
      }
      case "svix" -> json.put("scheme", "standard-webhooks");
      case "standard-webhooks", "stripe", "github", "shopify" -> json.put("scheme", name);
      default -> {
        json.put("scheme", "hmac");
        hmac(name, text, json);
      }
    }
    if (text.contains("base64")) {
      json.put("encoding", "base64");
    }
  }

  private static void hmac(String name, String text, ObjectNode json) {
    switch (name) {
      case "convoy" -> {
        json.put("algorithm", text.contains("sha512") ? "sha512" : "sha256");
        if (text.contains("advanced")) {
          json.put("form", "t={timestamp},v1={signature}").put("content", "{timestamp},{body}");
        }
      }
      case "bitbucket" -> json.put("form", "sha256={signature}");
      case "slack" ->
          json.put("form", "v0={signature}")
              .put("content", "v0:{timestamp}:{body}")
              .put("timestampHeader", "X-Slack-Request-Timestamp");
      case "line" -> json.put("encoding", "base64");
      case "gocardless" -> json.put("encoding", "hex");
      case "adyen" -> json.put("encoding", "base64").put("secretEncoding", "hex");
      default -> throw new AssertionError(name.toUpperCase(Locale.ROOT));
    }
  }

  private static byte[] body(Path cases, String column) throws IOException {
    return column.startsWith("file:")
        ? Files.readAllBytes(cases.resolve(column.substring("file:".length())))
        : Json.mapper().readValue(column, String.class).getBytes(StandardCharsets.UTF_8);
  }
}
