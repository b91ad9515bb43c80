package io.hooktally.reconcile.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hooktally.reconcile.source.SourceUnavailableException.Kind;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.FakeSource.Response;
import io.hooktally.reconcile.testing.HandClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import okhttp3.Dns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a source asks of those who ask it, and what we ask of it: limits, outages, ends of waits.
 */
@Timeout(60)
class SourceLimitsIT {
  private static final Instant NOW = Instant.parse("2026-10-21T07:28:00Z");
  private static final Duration LONG = Duration.ofMinutes(10);

  private final HandClock clock = new HandClock(NOW);
  private final AtomicLong nanos = new AtomicLong();
  private final FakeSource source = new FakeSource(clock);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    threads.shutdownNow();
    source.close();
  }

  private SourceClient client(String url, int attempts, Duration callTimeout, Dns dns) {
    SourceConfig config = source.config();
    ApiConfig api =
        new ApiConfig(
            url,
            Map.of(),
            Map.of(),
            callTimeout,
            Duration.ofSeconds(1),
            attempts,
            Duration.ofMillis(1),
            LONG,
            0.0,
            4,
            null);
    SourceConfig slow =
        new SourceConfig(
            config.name(),
            config.signature(),
            config.event(),
            api,
            config.lag(),
            config.settle(),
            config.entities());
    return new SourceClient(slow, clock, nanos::get, dns);
  }

  // Waits go by hand: a wait for the source's sake ends no request before it is moved.
  private SourceClient client(int attempts) {
    return client(source.url(), attempts, Duration.ofSeconds(5), Dns.SYSTEM);
  }

  private void tick(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  private static SourceUnavailableException outage(SourceClient client) {
    return catchThrowableOfType(SourceUnavailableException.class, () -> client.read("order", "o1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "429|120|120000",
        "429|120.1|120100",
        "429|Wed, 21 Oct 2026 07:30:00 GMT|120000",
        "429|Wednesday, 21-Oct-26 07:30:00 GMT|120000",
        "429|Wed, 21 Oct 2026 06:28:00 GMT|1",
        "429|-1|1",
        "429|99999999999|600000",
        "429|invalid|1",
        "429||1",
        "503|120|120000"
      })
  void whatTheSourceAsksForHoldsBackEveryRequest(int status, String retryAfter, long millis) {
    source.put("o1", NOW);
    source.fault(
        (path, query, n) ->
            n > 1
                ? Optional.empty()
                : Optional.of(
                    retryAfter == null
                        ? Response.json(status, "{}")
                        : Response.json(status, "{}").with("Retry-After", retryAfter)));
    try (SourceClient client = client(1)) {
      assertThat(outage(client).status()).isEqualTo(status);
      // Of another view, and not of the same: the source is one.
      SourceClient other = client.as(Priority.RECONCILE);
      if (millis > 1) {
        tick(Duration.ofMillis(millis - 50));
        SourceUnavailableException held = outage(other);
        assertThat(held.kind()).isEqualTo(Kind.THROTTLED);
        assertThat(held.retryAfter()).contains(Duration.ofMillis(50));
      }
      assertThat(source.requests()).hasSize(1);
      tick(Duration.ofMillis(60));
      assertThat(other.read("order", "o1")).isInstanceOf(ReadResult.Found.class);
    }
  }

  @Test
  void parallelRequestsDoNotHammerASourceThatWantsToBeLeftAlone() throws Exception {
    source.put("o1", NOW);
    source.fault(
        (path, query, n) ->
            n > 1
                ? Optional.empty()
                : Optional.of(Response.json(429, "{}").with("Retry-After", "120")));
    try (SourceClient client = client(3)) {
      List<Future<ReadResult>> reads = new ArrayList<>();
      reads.add(threads.submit(() -> client.read("order", "o1")));
      await().until(() -> source.requests().size() == 1);
      await().until(() -> outage(client.withoutRetries()) != null);
      for (int i = 0; i < 5; i++) {
        reads.add(threads.submit(() -> client.read("order", "o1")));
      }
      await().until(() -> client.waiting() == 6);
      tick(Duration.ofSeconds(119));
      assertThat(outage(client.withoutRetries()).kind()).isEqualTo(Kind.THROTTLED);
      assertThat(source.requests()).hasSize(1);
      tick(Duration.ofSeconds(1));
      client.withoutRetries().read("order", "o1"); // wakes those who wait
      for (Future<ReadResult> read : reads) {
        assertThat(read.get()).isInstanceOf(ReadResult.Found.class);
      }
      assertThat(source.requests()).hasSize(8);
      assertThat(client.usage().throttled()).isGreaterThanOrEqualTo(Duration.ofMinutes(2));
    }
  }

  @Test
  void aLimitThatIsUsedUpIsRespectedBeforeTheSourceRefuses() {
    source.put("o1", NOW);
    source.fault(
        (path, query, n) ->
            n > 1
                ? Optional.empty()
                : Optional.of(Response.json(404, "{}").with("RateLimit", "\"default\";r=0;t=30")));
    try (SourceClient client = client(1)) {
      assertThat(client.read("order", "o1")).isInstanceOf(ReadResult.Gone.class);
      assertThat(outage(client).retryAfter()).contains(Duration.ofSeconds(30));
      assertThat(source.requests()).hasSize(1);
      tick(Duration.ofSeconds(30));
      assertThat(client.read("order", "o1")).isInstanceOf(ReadResult.Found.class);
    }
  }

  @Test
  void aSourceThatIsAwayIsLeftAloneUntilATrialFindsItBack() {
    source.put("o1", NOW);
    source.fault((path, query, n) -> Optional.of(Response.json(503, "{}")));
    try (SourceClient client = client(1)) {
      for (int i = 0; i < Circuit.OUTAGES; i++) {
        assertThat(outage(client).kind()).isEqualTo(Kind.SERVER_ERROR);
      }
      assertThat(outage(client.as(Priority.RECONCILE)).kind()).isEqualTo(Kind.OPEN_CIRCUIT);
      assertThat(source.requests()).hasSize(Circuit.OUTAGES);
      source.noFaults();
      tick(LONG);
      assertThat(client.read("order", "o1")).isInstanceOf(ReadResult.Found.class);
    }
  }

  @Test
  void whatOnlyWeDidWrongOpensNoCircuit() {
    for (int status : new int[] {400, 401, 403, 404, 410, 422}) {
      source.noFaults();
      source.fault((path, query, n) -> Optional.of(Response.json(status, "{}")));
      try (SourceClient client = client(1)) {
        for (int i = 0; i < 2 * Circuit.OUTAGES; i++) {
          try {
            client.read("order", "o1");
          } catch (SourceRefusedException e) {
            assertThat(e.status()).isEqualTo(status);
          } catch (SourceUnavailableException e) {
            assertThat(e.kind()).isEqualTo(Kind.DENIED);
          }
        }
      }
    }
  }

  @Test
  void eachViewCountsWhatItAsked() {
    source.put("o1", NOW);
    AtomicInteger faults = new AtomicInteger(2);
    source.fault(
        (path, query, n) ->
            faults.getAndDecrement() > 0 ? Optional.of(Response.json(502, "")) : Optional.empty());
    try (SourceClient client = client(3)) {
      SourceClient run = client.as(Priority.RECONCILE);
      run.read("order", "o1");
      assertThat(run.usage().requests()).isEqualTo(3);
      assertThat(run.usage().bytes()).isEqualTo(source.aggregate("o1").toString().length());
      assertThat(client.usage()).isEqualTo(SourceUsage.NONE);
      client.read("order", "o1");
      assertThat(client.usage().requests()).isEqualTo(1);
      assertThat(run.usage().requests()).isEqualTo(3);
    }
  }

  @Test
  void severalThreadsReadAtOnceAndNeverMoreThanConfigured() throws Exception {
    source.put("o1", NOW);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch four = new CountDownLatch(4);
    source.fault(
        (path, query, n) -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          four.countDown();
          awaitQuietly(four);
          now.decrementAndGet();
          return Optional.empty();
        });
    try (SourceClient client = client(1)) {
      List<Future<ReadResult>> reads = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        reads.add(threads.submit(() -> client.read("order", "o1")));
      }
      for (Future<ReadResult> read : reads) {
        assertThat(read.get()).isInstanceOf(ReadResult.Found.class);
      }
    }
    assertThat(most).hasValue(4);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aCallThatIsUnderWayEndsWithItsThreadsInterruption() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SourceClient client =
            client("http://127.0.0.1:" + silent.getLocalPort(), 3, LONG, Dns.SYSTEM)) {
      Thread reader = Thread.currentThread();
      threads.execute(
          () -> {
            accept(silent);
            reader.interrupt();
          });
      SourceUnavailableException e = outage(client);
      assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private static void accept(ServerSocket silent) {
    try {
      silent.accept().getInputStream().read();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aHandshakeThatHangsEndsInTime() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SourceClient client =
            client(
                "https://127.0.0.1:" + silent.getLocalPort(),
                1,
                Duration.ofMillis(300),
                Dns.SYSTEM)) {
      assertThat(outage(client).kind()).isEqualTo(Kind.TIMEOUT);
    }
  }

  @Test
  void aLookUpOfTheNameThatHangsEndsInTime() {
    CountDownLatch never = new CountDownLatch(1);
    Dns hanging =
        host -> {
          awaitQuietly(never);
          return List.of(InetAddress.getLoopbackAddress());
        };
    try (SourceClient client = client("http://shop.invalid", 1, Duration.ofMillis(300), hanging)) {
      assertThat(outage(client).kind()).isEqualTo(Kind.TIMEOUT);
    } finally {
      never.countDown();
    }
  }
}
