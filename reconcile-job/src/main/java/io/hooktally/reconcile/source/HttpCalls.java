package io.hooktally.reconcile.source;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.Dns;
import okhttp3.Headers;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests. A call ends in time whatever hangs (a look-up of the host's name cannot be
 * stopped, and is left behind), and at once when its thread is interrupted. Thread-safe.
 */
final class HttpCalls implements AutoCloseable {
  /** An answer that came whole. */
  static final class Answer {
    private final int status;
    private final Headers headers;
    private final byte @Nullable [] body;

    private Answer(int status, Headers headers, byte @Nullable [] body) {
      this.status = status;
      this.headers = headers;
      this.body = body;
    }

    int status() {
      return status;
    }

    Headers headers() {
      return headers;
    }

    /** Of a 200; null where it is longer than allowed, and for every other status. Not copied. */
    byte @Nullable [] body() {
      return body;
    }
  }

  private static final int LEFT_BEHIND = 64;
  private static final Duration SLACK = Duration.ofMillis(250);

  private final OkHttpClient http;
  private final long mostNanos;
  private final int mostBytes;

  HttpCalls(ApiConfig api, Dns dns) {
    Duration limit = limit(api.callTimeout());
    Dispatcher dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(api.concurrency() + LEFT_BEHIND);
    dispatcher.setMaxRequestsPerHost(api.concurrency() + LEFT_BEHIND);
    this.http =
        new OkHttpClient.Builder()
            .dispatcher(dispatcher)
            .dns(dns)
            .callTimeout(limit)
            .connectTimeout(limit(api.connectTimeout()))
            .readTimeout(limit)
            .writeTimeout(limit)
            // Credentials stay with the host they are for.
            .followRedirects(false)
            .followSslRedirects(false)
            .connectionPool(new ConnectionPool(api.concurrency(), 1, TimeUnit.MINUTES))
            .build();
    this.mostNanos = limit.plus(SLACK).toNanos();
    this.mostBytes = Math.toIntExact(api.maxResponse().bytes());
  }

  // Zero would mean no limit at all.
  private static Duration limit(Duration duration) {
    return duration.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : duration;
  }

  /**
   * Sends a request once and waits for its answer.
   *
   * @throws InterruptedIOException when it took too long
   * @throws IOException when no whole answer came
   */
  Answer send(Request request) throws IOException, InterruptedException {
    Call call = http.newCall(request);
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    call.enqueue(new Completing(answer));
    try {
      return answer.get(mostNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("a call failed", e.getCause());
    } catch (TimeoutException e) {
      throw new InterruptedIOException("no answer in time");
    } finally {
      call.cancel(); // changes nothing once it is over
    }
  }

  private final class Completing implements Callback {
    private final CompletableFuture<Answer> answer;

    Completing(CompletableFuture<Answer> answer) {
      this.answer = answer;
    }

    @Override
    public void onFailure(Call call, IOException e) {
      answer.completeExceptionally(e);
    }

    @Override
    public void onResponse(Call call, Response response) {
      try (response) {
        byte[] body = response.code() == 200 ? read(response.body()) : null;
        answer.complete(new Answer(response.code(), response.headers(), body));
      } catch (IOException | RuntimeException e) {
        answer.completeExceptionally(e);
      }
    }
  }

  private byte @Nullable [] read(ResponseBody body) throws IOException {
    if (body.contentLength() > mostBytes) {
      return null;
    }
    if (body.contentLength() >= 0) {
      return body.bytes();
    }
    byte[] bytes = body.byteStream().readNBytes(mostBytes + 1);
    return bytes.length > mostBytes ? null : bytes;
  }

  @Override
  public void close() {
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
  }
}
