package io.hooktally.service.receive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.stripe.net.Webhook.Signature;
import io.hooktally.reconcile.source.SignatureConfig;
import io.hooktally.reconcile.source.SignatureScheme;
import io.hooktally.store.Secret;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** We and the platforms' own libraries agree: what one signs the other verifies. */
class PlatformLibrariesTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  // Their libraries go by the machine's clock.
  private final Instant now = Instant.now();

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\"id\":\"evt_1\",\"n\":\"ü 😀\"}", " \r\n\t{\"a\": 1}\n"})
  void stripe(String body) throws Exception {
    SignatureConfig config = config(SignatureScheme.STRIPE, null);
    Clock clock = Clock.fixed(now, ZoneOffset.UTC);

    String theirs = Signature.generateSignatureHeader(body, SECRET, now.getEpochSecond());
    assertThat(verify(config, Map.of("Stripe-Signature", theirs), body)).isTrue();
    assertThat(verify(config, Map.of("Stripe-Signature", theirs), body + " ")).isFalse();

    Map<String, String> ours = sign(config, Map.of(), body);
    assertThat(ours).containsOnlyKeys("Stripe-Signature");
    assertThat(Signature.verifyHeader(body, ours.get("Stripe-Signature"), SECRET, 300, clock))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\"id\":\"evt_1\",\"n\":\"ü 😀\"}", " \r\n\t{\"a\": 1}\n"})
  void standardWebhooks(String body) throws Exception {
    SignatureConfig config = config(SignatureScheme.STANDARD_WEBHOOKS, null);
    var library = new com.standardwebhooks.Webhook(SECRET);

    Map<String, String> theirs =
        Map.of(
            "webhook-id", ID,
            "webhook-timestamp", Long.toString(now.getEpochSecond()),
            "webhook-signature", library.sign(ID, now.getEpochSecond(), body));
    assertThat(verify(config, theirs, body)).isTrue();
    assertThat(verify(config, theirs, body + " ")).isFalse();

    Map<String, String> ours = new HashMap<>(sign(config, Map.of("webhook-id", ID), body));
    ours.put("webhook-id", ID);
    assertThatCode(() -> library.verify(body, multi(ours))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\"id\":\"evt_1\",\"n\":\"ü 😀\"}", " \r\n\t{\"a\": 1}\n"})
  void svix(String body) throws Exception {
    SignatureConfig config = config(SignatureScheme.STANDARD_WEBHOOKS, "svix-signature");
    var library = new com.svix.Webhook(SECRET);

    Map<String, String> theirs =
        Map.of(
            "svix-id", ID,
            "svix-timestamp", Long.toString(now.getEpochSecond()),
            "svix-signature", library.sign(ID, now.getEpochSecond(), body));
    assertThat(verify(config, theirs, body)).isTrue();
    assertThat(verify(config, theirs, body + " ")).isFalse();

    Map<String, String> ours = new HashMap<>(sign(config, Map.of("svix-id", ID), body));
    ours.put("svix-id", ID);
    assertThatCode(() -> library.verify(body, multi(ours))).doesNotThrowAnyException();
  }

  private static SignatureConfig config(SignatureScheme scheme, @Nullable String header) {
    return new SignatureConfig(scheme, header, null, List.of(new Secret(SECRET)));
  }

  private Map<String, String> sign(SignatureConfig config, Map<String, String> sent, String body) {
    return DeliverySigner.sign(config, new Secret(SECRET), now, sent, body.getBytes(UTF_8));
  }

  private boolean verify(SignatureConfig config, Map<String, String> sent, String body) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(sent);
    return SignatureVerifier.of(config, InstantSource.fixed(now))
        .verify(
            name -> headers.containsKey(name) ? List.of(headers.get(name)) : List.of(),
            body.getBytes(UTF_8));
  }

  private static Map<String, List<String>> multi(Map<String, String> one) {
    Map<String, List<String>> many = new HashMap<>();
    one.forEach((name, value) -> many.put(name, List.of(value)));
    return many;
  }
}
