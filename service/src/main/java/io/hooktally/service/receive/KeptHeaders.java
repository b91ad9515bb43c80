package io.hooktally.service.receive;

import io.hooktally.reconcile.source.TopicGlobs;
import io.hooktally.store.ContentEncoding;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Chooses the headers kept with a payload: those named, and never what proves who somebody is.
 * {@code Content-Encoding} is kept always, under this spelling: without it nobody could read the
 * body.
 */
final class KeptHeaders {
  private final TopicGlobs named;
  private final SecretHeaders secrets;

  /**
   * Keeps what the globs name, in any case.
   *
   * @param secrets whose credentials are never kept
   */
  KeptHeaders(List<String> globs, SecretHeaders secrets) {
    this.named = new TopicGlobs(globs.stream().map(KeptHeaders::lower).toList());
    this.secrets = secrets;
  }

  Map<String, List<String>> of(HttpServletRequest request) {
    Map<String, List<String>> kept = new LinkedHashMap<>();
    List<String> encoding = Collections.list(request.getHeaders(ContentEncoding.HEADER));
    if (!encoding.isEmpty()) {
      kept.put(ContentEncoding.HEADER, encoding);
    }
    for (String name : Collections.list(request.getHeaderNames())) {
      if (keeps(lower(name))) {
        // Jetty may list a name once per spelling, each with all values.
        if (kept.keySet().stream().noneMatch(name::equalsIgnoreCase)) {
          kept.put(name, new ArrayList<>(Collections.list(request.getHeaders(name))));
        }
      }
    }
    return kept;
  }

  private boolean keeps(String name) {
    return !secrets.isCredential(name) && named.matches(name);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
