package io.hooktally.service.receive;

import static io.hooktally.service.receive.ReceiverServer.SECRET;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hooktally.service.receive.RawHttp.Response;
import io.hooktally.store.testing.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that two readers may take for different ones, senders that never finish, HTTP/2. */
class HygieneIT {
  private static final byte[] BODY = "{\"order_id\":\"1\"}".getBytes(UTF_8);
  private static final Duration ARRIVAL = Duration.ofMillis(700);

  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  private static ReceiverServer server;
  private static int ids;

  @BeforeAll
  static void start() throws Exception {
    server =
        new ReceiverServer(
                DATABASE.get().jdbi(),
                new ReceiveLimits(64 * 1024, 64L << 20, null, ARRIVAL),
                ReceiverServer.source("shop", SECRET))
            .start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Heads after their first lines; {@code #} stands for the right length of the body. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: #\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: #\r\n",
        "Content-Length: #\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nContent-Length: #\r\n",
        "Content-Length: #, 5\r\n",
        "Content-Length: +#\r\n",
        "Content-Length: -#\r\n",
        "Content-Length: 0x10\r\n",
        "Content-Length: #a\r\n",
        "Content-Length: 99999999999999999999999\r\n",
        "Content-Length: \r\n",
        "Content-Length : #\r\n",
        " Content-Length: #\r\n",
        "X-A: b\r\n folded\r\nContent-Length: #\r\n",
        "X-A: b\r\n\tfolded\r\nContent-Length: #\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, gzip\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding: identity\r\nContent-Length: #\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: \u000bchunked\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer_Encoding: chunked\r\nContent-Length: #\r\nX:\u0000: y\r\n",
        "X-A: a\u0000b\r\nContent-Length: #\r\n",
        "X-A\u0000: b\r\nContent-Length: #\r\n",
        "X A: b\r\nContent-Length: #\r\n",
        ": b\r\nContent-Length: #\r\n",
        "X-A: b\rContent-Length: 5\r\nContent-Length: #\r\n",
        "Host: y\r\nContent-Length: #\r\n",
      })
  void aHeadThatTwoMayReadDifferentlyIsRefusedAndTheConnectionEnds(String head) throws IOException {
    String id = "evt_bad_" + ++ids;
    String message =
        "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\n"
            + signed(id)
            + head.replace("#", Integer.toString(BODY.length))
            + "\r\n";
    isRefused(id, message + new String(BODY, UTF_8), head);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\nhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        "-5\r\nhello\r\n0\r\n\r\n",
        "+5\r\nhello\r\n0\r\n\r\n",
        "5 5\r\nhello\r\n0\r\n\r\n",
        "fffffffffffffffff5\r\nhello\r\n0\r\n\r\n",
        "100000005\r\nhello\r\n0\r\n\r\n",
        "5\r\nhelloX0\r\n\r\n",
        "\r\n5\r\nhello\r\n0\r\n\r\n",
      })
  void aBodyInBadChunksIsRefusedAndTheConnectionEnds(String chunks) throws IOException {
    String id = "evt_bad_" + ++ids;
    isRefused(
        id,
        "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nX-Shop-Event-Id: "
            + id
            + "\r\nX-Shop-Signature: "
            + Signing.v0(SECRET, "hello".getBytes(UTF_8))
            + "\r\nTransfer-Encoding: chunked\r\n\r\n"
            + chunks,
        chunks);
  }

  // What comes behind is a delivery like any other, if the connection goes on.
  private static void isRefused(String id, String bad, String what) throws IOException {
    String next =
        "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\n"
            + signed(id + "_smuggled")
            + "Content-Length: "
            + BODY.length
            + "\r\n\r\n"
            + new String(BODY, UTF_8);
    String answers;
    try (RawHttp http = new RawHttp(server.port())) {
      http.send(bad).send(next);
      answers = http.untilClosed();
    }
    Response first = RawHttp.parse(answers);
    assertThat(first.status()).as(what + answers).isIn(0, 400, 408, 413, 501);
    assertThat(answers).as(what).doesNotContain(" 202 ", " 200 ");
    assertThat(server.inbox().event("shop", id)).as(what).isEmpty();
    assertThat(server.inbox().event("shop", id + "_smuggled")).as(what).isEmpty();
  }

  @Test
  void aBodyThatTricklesIsCutOff() throws IOException {
    try (RawHttp http = new RawHttp(server.port())) {
      http.send(
          "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\n"
              + signed("evt_slow")
              + "Content-Length: 60000\r\n\r\n");
      assertThat(trickle(http)).isLessThan(Duration.ofSeconds(5));
    }
    await().until(() -> server.counts("shop").open() == 0);
    assertThat(server.inbox().event("shop", "evt_slow")).isEmpty();
  }

  @Test
  void aHeadThatTricklesIsCutOff() throws IOException {
    try (RawHttp http = new RawHttp(server.port())) {
      http.send("POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nX-Slow: ");
      assertThat(trickle(http)).isLessThan(Duration.ofSeconds(8));
    }
    try (RawHttp http = new RawHttp(server.port())) {
      http.send("POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
      assertThat(http.response().status()).isEqualTo(401);
      http.send("POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nX-Slow: ");
      assertThat(trickle(http)).isLessThan(Duration.ofSeconds(8));
    }
  }

  @Test
  void aConnectionThatGoesOnDeliveringIsLeftAlone() throws IOException {
    try (RawHttp http = new RawHttp(server.port())) {
      long end = System.nanoTime() + ARRIVAL.multipliedBy(6).toNanos();
      for (int i = 0; System.nanoTime() < end; i++) {
        http.send(
                "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\n"
                    + signed("evt_on_" + i)
                    + "Content-Length: "
                    + BODY.length
                    + "\r\n\r\n")
            .send(BODY);
        assertThat(http.response().status()).isEqualTo(202);
      }
    }
  }

  // Byte by byte until the other side has enough of it; how long that took.
  private static Duration trickle(RawHttp http) {
    long start = System.nanoTime();
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              try {
                http.send("x");
                return http.isClosedByPeer();
              } catch (IOException e) {
                return true;
              }
            });
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Test
  void deliveriesComeOverHttp2Too() throws Exception {
    OkHttpClient http2 =
        new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE)).build();
    http2.dispatcher().setMaxRequests(50);
    http2.dispatcher().setMaxRequestsPerHost(50);
    List<String> statuses = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(50);
    for (int i = 0; i < 50; i++) {
      http2
          .newCall(request("evt_h2_" + i, BODY))
          .enqueue(
              new Callback() {
                @Override
                public void onResponse(Call call, okhttp3.Response response) {
                  add(response.protocol() + " " + response.code());
                  response.close();
                }

                @Override
                public void onFailure(Call call, IOException e) {
                  add(e.toString());
                }

                private void add(String status) {
                  synchronized (statuses) {
                    statuses.add(status);
                  }
                  done.countDown();
                }
              });
    }
    assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(statuses).containsOnly("h2_prior_knowledge 202");
    for (int i = 0; i < 50; i++) {
      assertThat(server.inbox().event("shop", "evt_h2_" + i)).isPresent();
    }
    byte[] large = new byte[64 * 1024 + 1];
    try (okhttp3.Response response = http2.newCall(request("evt_h2_large", large)).execute()) {
      assertThat(response.code()).isEqualTo(413);
    }
    byte[] most = new byte[64 * 1024];
    try (okhttp3.Response response = http2.newCall(request("evt_h2_most", most)).execute()) {
      assertThat(response.code()).isEqualTo(202);
    }
    http2.connectionPool().evictAll();
    http2.dispatcher().executorService().shutdown();
  }

  private static Request request(String id, byte[] body) {
    return new Request.Builder()
        .url("http://127.0.0.1:" + server.port() + "/webhooks/shop")
        .header("X-Shop-Event-Id", id)
        .header("X-Shop-Signature", Signing.v0(SECRET, body))
        .post(RequestBody.create(body))
        .build();
  }

  private static String signed(String id) {
    return "X-Shop-Event-Id: " + id + "\r\nX-Shop-Signature: " + Signing.v0(SECRET, BODY) + "\r\n";
  }
}
