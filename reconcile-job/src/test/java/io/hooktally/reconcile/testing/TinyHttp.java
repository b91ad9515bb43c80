package io.hooktally.reconcile.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server for GETs on 127.0.0.1 that sends exactly what it is told, the Date too. */
final class TinyHttp implements AutoCloseable {
  /** Answers a request's target with all of an HTTP answer. */
  interface Handler {
    byte[] answer(String target);
  }

  private final ServerSocket server;
  private final Handler handler;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  TinyHttp(Handler handler) {
    this.handler = handler;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        open.add(socket);
        threads.execute(() -> serve(socket));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      OutputStream out = socket.getOutputStream();
      String first = in.readLine();
      while (first != null) {
        String header = in.readLine();
        while (header != null && !header.isEmpty()) {
          header = in.readLine();
        }
        byte[] answer = handler.answer(first.split(" ", -1)[1]);
        out.write(answer);
        out.flush();
        if (new String(answer, StandardCharsets.ISO_8859_1).contains("\r\nConnection: close\r\n")) {
          return;
        }
        first = in.readLine();
      }
    } catch (IOException e) {
      // the client is gone
    } finally {
      open.remove(socket);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
