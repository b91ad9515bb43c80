package io.hooktally.reconcile.source;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import okhttp3.HttpUrl;

/** Builds the addresses of a source's API. An id is always exactly one segment of the path. */
final class SourceUrls {
  private static final String PLAIN =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";

  private final HttpUrl base;

  SourceUrls(String url) {
    this.base = HttpUrl.get(url);
  }

  HttpUrl list(ListConfig list, ListRequest request, long offset) {
    HttpUrl.Builder url = path(list.path());
    list.query().forEach(url::setQueryParameter);
    Instant from = request.askedFrom();
    Instant to = request.askedTo();
    if (to != null && list.takesRange()) {
      url.setQueryParameter(list.toParam(), to.toString());
      if (from != null) {
        url.setQueryParameter(list.fromParam(), from.toString());
      }
    }
    return url.setQueryParameter(list.limitParam(), String.valueOf(list.pageSize()))
        .setQueryParameter(list.offsetParam(), String.valueOf(offset))
        .setQueryParameter(list.orderParam(), list.sort(request.order()))
        .build();
  }

  HttpUrl read(ReadConfig read, String id) {
    if (id.equals(".") || id.equals("..")) {
      // No spelling of these survives as a segment: clients and servers resolve them.
      throw new SourceRefusedException("the id '" + id + "' cannot be asked for in a path", 0);
    }
    return path(read.path().replace("{id}", encode(id))).build();
  }

  private HttpUrl.Builder path(String path) {
    String prefix = base.encodedPath();
    while (prefix.endsWith("/")) {
      prefix = prefix.substring(0, prefix.length() - 1);
    }
    return base.newBuilder().encodedPath(prefix + path);
  }

  private static String encode(String id) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      if (b > 0 && PLAIN.indexOf(b) >= 0) {
        encoded.append((char) b);
      } else {
        encoded.append(String.format("%%%02X", b));
      }
    }
    return encoded.toString();
  }
}
