package io.hooktally.service.receive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Senders on connections of their own, each with one delivery under way: at once after the answer
 * (closed loop), or at times fixed before, from which latencies are measured then (open loop).
 */
final class Load {
  /**
   * What came of it.
   *
   * @param rate answers in a second
   * @param refused answers that were no 2xx
   */
  record Result(double rate, double p50, double p99, double p999, long refused) {}

  private static final int MOST = 2_000_000;

  private final int port;
  private final byte[] head;
  private final byte[] tail;
  private final double duplicates;

  /**
   * @param duplicates the share of deliveries under an id that was sent before
   */
  Load(int port, byte[] body, String signature, double duplicates) {
    this.port = port;
    this.duplicates = duplicates;
    this.head =
        ("POST /webhooks/shop HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "X-Shop-Topic: order.placed\r\nX-Shop-Signature: "
                + signature
                + "\r\nContent-Length: "
                + body.length
                + "\r\nX-Shop-Event-Id: evt_")
            .getBytes(StandardCharsets.US_ASCII);
    this.tail = new byte[body.length + 4];
    System.arraycopy("\r\n\r\n".getBytes(StandardCharsets.US_ASCII), 0, tail, 0, 4);
    System.arraycopy(body, 0, tail, 4, body.length);
  }

  private static final class Sender extends Thread {
    private final Load load;
    private final long start;
    private final long end;
    private final long interval;
    private final long[] nanos = new long[MOST / 64];
    private int sent;
    private long refused;

    Sender(Load load, long start, long end, long interval) {
      this.load = load;
      this.start = start;
      this.end = end;
      this.interval = interval;
    }

    @Override
    public void run() {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), load.port)) {
        socket.setTcpNoDelay(true);
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream();
        byte[] answer = new byte[4096];
        byte[] request = new byte[load.head.length + 32 + load.tail.length];
        System.arraycopy(load.head, 0, request, 0, load.head.length);
        System.arraycopy(load.tail, 0, request, load.head.length + 32, load.tail.length);
        long due = start;
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (true) {
          long now = System.nanoTime();
          if (interval > 0) {
            while (now < due) {
              LockSupport.parkNanos(due - now);
              now = System.nanoTime();
            }
          } else {
            due = now;
          }
          if (now > end || sent == nanos.length) {
            return;
          }
          if (sent == 0 || random.nextDouble() >= load.duplicates) {
            id(request, load.head.length, random);
          }
          out.write(request);
          if (!accepted(in, answer)) {
            refused++;
          }
          nanos[sent++] = System.nanoTime() - due;
          due += interval;
        }
      } catch (IOException e) {
        refused++;
      }
    }

    private static void id(byte[] request, int at, ThreadLocalRandom random) {
      for (int half = 0; half < 2; half++) {
        long bits = random.nextLong();
        for (int i = 0; i < 16; i++) {
          request[at + 16 * half + i] = (byte) "0123456789abcdef".charAt((int) (bits & 15));
          bits >>>= 4;
        }
      }
    }

    // The answers are short and carry their length.
    private static boolean accepted(InputStream in, byte[] answer) throws IOException {
      int length = 0;
      while (true) {
        int read = in.read(answer, length, answer.length - length);
        if (read < 0) {
          throw new IOException("closed");
        }
        length += read;
        String text = new String(answer, 0, length, StandardCharsets.US_ASCII);
        int body = text.indexOf("\r\n\r\n");
        int said = text.indexOf("Content-Length: ");
        if (body > 0 && said > 0) {
          int bytes = Integer.parseInt(text.substring(said + 16, text.indexOf('\r', said)));
          if (length >= body + 4 + bytes) {
            return text.startsWith("HTTP/1.1 2");
          }
        }
      }
    }
  }

  /**
   * @param rate deliveries in a second over all connections; 0: as fast as they are answered
   */
  Result run(int connections, int seconds, double rate) throws InterruptedException {
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(seconds);
    long interval = rate == 0 ? 0 : (long) (connections * 1e9 / rate);
    List<Sender> senders = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      Sender sender = new Sender(this, start + interval * i / connections, end, interval);
      senders.add(sender);
      sender.start();
    }
    for (Sender sender : senders) {
      sender.join();
    }
    double took = (System.nanoTime() - start) / 1e9;
    long[] all =
        senders.stream().flatMapToLong(one -> Arrays.stream(one.nanos, 0, one.sent)).toArray();
    Arrays.sort(all);
    return new Result(
        all.length / took,
        at(all, 0.5),
        at(all, 0.99),
        at(all, 0.999),
        senders.stream().mapToLong(one -> one.refused).sum());
  }

  private static double at(long[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[(int) (share * (sorted.length - 1))] / 1e6;
  }
}
