package io.hooktally.service.receive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One exchange over a socket of its own, byte by byte as the test says. */
final class RawHttp implements AutoCloseable {
  private final Socket socket;

  /**
   * What came back; status 0 when nothing did.
   *
   * @param head status line and headers
   */
  record Response(int status, String head, String body) {
    boolean hasHeader(String line) {
      return head.toLowerCase(Locale.ROOT).contains("\r\n" + line.toLowerCase(Locale.ROOT));
    }
  }

  RawHttp(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(15_000);
  }

  static Response exchange(int port, String head, byte[] body) throws IOException {
    try (RawHttp http = new RawHttp(port)) {
      return http.send(head).send(body).response();
    }
  }

  RawHttp send(String latin) throws IOException {
    return send(latin.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawHttp send(byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
    return this;
  }

  /** Reads until the server closes or, with a length, to the body's end. */
  Response response() throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    while (!isComplete(read)) {
      int count;
      try {
        count = socket.getInputStream().read(buffer);
      } catch (java.net.SocketException e) {
        // Closed with bytes of ours unread: what came before counts.
        break;
      }
      if (count < 0) {
        break;
      }
      read.write(buffer, 0, count);
    }
    return parse(read.toString(StandardCharsets.ISO_8859_1));
  }

  /** All that comes until the server closes. */
  String untilClosed() throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(read);
    } catch (java.net.SocketException e) {
      // Closed with bytes of ours unread: what came before counts.
    }
    return read.toString(StandardCharsets.ISO_8859_1);
  }

  /** Whether the server has answered or closed; waits a few milliseconds at most. */
  boolean isClosedByPeer() throws IOException {
    socket.setSoTimeout(5);
    try {
      socket.getInputStream().read();
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    }
  }

  private static boolean isComplete(ByteArrayOutputStream read) {
    String text = read.toString(StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0 || text.startsWith("HTTP/1.1 100")) {
      return false;
    }
    java.util.regex.Matcher length =
        java.util.regex.Pattern.compile("(?i)\r\ncontent-length: (\\d+)").matcher(text);
    return length.find() && text.length() >= end + 4 + Integer.parseInt(length.group(1));
  }

  static Response parse(String text) {
    String rest = text;
    if (rest.startsWith("HTTP/1.1 100")) {
      rest = rest.substring(rest.indexOf("\r\n\r\n") + 4);
    }
    int end = rest.indexOf("\r\n\r\n");
    if (end < 0) {
      return new Response(0, rest, "");
    }
    return new Response(
        Integer.parseInt(rest.substring(9, 12)), rest.substring(0, end), rest.substring(end + 4));
  }

  /** Hangs up at once, as a killed sender does. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
