package io.hooktally.service.receive;

import static io.hooktally.service.receive.ReceiverServer.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.service.receive.RawHttp.Response;
import io.hooktally.store.Database;
import io.hooktally.store.DatabaseAddress;
import io.hooktally.store.testing.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Many senders of large bodies against a receiver in a small heap, for {@code overload.seconds}
 * (profile {@code slow}: one minute, {@code long}: ten). It turns away what it has no room for, and
 * lives.
 */
class OverloadIT {
  private static final int SECONDS = Integer.getInteger("overload.seconds", 60);
  private static final int SENDERS = 96;
  private static final byte[] BODY =
      ("{\"note\":\"" + "overload ".repeat(116_000) + "\"}").getBytes(StandardCharsets.UTF_8);
  // A sender gives up after 5 s; here all senders and the database share the machine with it.
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
  private final Set<String> answered = ConcurrentHashMap.newKeySet();
  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicLong longest = new AtomicLong();
  private final AtomicInteger withoutRetryAfter = new AtomicInteger();

  @Test
  void bodiesOfAMegabyteFromEverywhereDoNotBringItDown() throws Exception {
    DatabaseAddress address = TestDatabase.createAddress();
    Process receiver = receiver(address);
    try (Database database = TestDatabase.open(address)) {
      int port = Integer.parseInt(portOf(receiver));
      String signature = Signing.v0(SECRET, BODY);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      List<Thread> senders = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        Thread sender = new Thread(() -> send(port, signature, end));
        sender.start();
        senders.add(sender);
      }
      for (Thread sender : senders) {
        sender.join();
      }
      System.out.printf(
          "OverloadIT: answers by status (0: none) %s, the longest after %d ms%n",
          new TreeMap<>(statuses), TimeUnit.NANOSECONDS.toMillis(longest.get()));

      assertThat(receiver.isAlive()).as("it lives").isTrue();
      assertThat(statuses.keySet()).isSubsetOf(0, 202, 503);
      assertThat(statuses.get(202)).isPositive();
      assertThat(statuses.get(503)).as("it was too much").isPositive();
      assertThat(withoutRetryAfter).hasValue(0);
      assertThat(Duration.ofNanos(longest.get())).isLessThan(LONGEST);
      Response after = deliver(port, signature, "after");
      assertThat(after.status()).isEqualTo(202);
      answered.add("after");
      long there =
          database
              .jdbi()
              .withHandle(
                  handle ->
                      handle
                          .createQuery(
                              """
                              select count(*)
                              from processed_event e
                              join event_payload p on p.event_seq = e.seq
                              where e.event_id = any(:ids) and octet_length(p.body) = :size
                              """)
                          .bind("ids", answered.toArray(new String[0]))
                          .bind("size", BODY.length)
                          .mapTo(Long.class)
                          .one());
      assertThat(there).isEqualTo(answered.size());
    } finally {
      receiver.destroyForcibly().waitFor();
    }
  }

  private void send(int port, String signature, long end) {
    while (System.nanoTime() < end) {
      String id = "evt_" + ids.incrementAndGet();
      long start = System.nanoTime();
      int status;
      try {
        Response response = deliver(port, signature, id);
        status = response.status();
        if (status == 503 && !response.hasHeader("retry-after: ")) {
          withoutRetryAfter.incrementAndGet();
        }
      } catch (IOException e) {
        status = 0;
      }
      longest.accumulateAndGet(System.nanoTime() - start, Math::max);
      statuses.merge(status, 1, Integer::sum);
      if (status == 202) {
        answered.add(id);
      }
    }
  }

  private static Response deliver(int port, String signature, String id) throws IOException {
    return RawHttp.exchange(
        port,
        "POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Shop-Signature: "
            + signature
            + "\r\nX-Shop-Event-Id: "
            + id
            + "\r\nContent-Length: "
            + BODY.length
            + "\r\n\r\n",
        BODY);
  }

  private static Process receiver(DatabaseAddress address) throws IOException {
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                ReceiverProgram.class.getName(),
                address.url(),
                address.user(),
                address.password().value()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  // What the server logs goes to the same stream; its port is a line of digits.
  private static String portOf(Process receiver) throws IOException {
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(receiver.getInputStream(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.matches("\\d+")) {
        Thread drain =
            new Thread(
                () -> {
                  try {
                    while (lines.readLine() != null) {
                      // Or it would block on a full pipe.
                    }
                  } catch (IOException e) {
                    // It ended.
                  }
                });
        drain.setDaemon(true);
        drain.start();
        return line;
      }
    }
    throw new IOException("the receiver did not start");
  }
}
