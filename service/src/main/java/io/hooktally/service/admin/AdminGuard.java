package io.hooktally.service.admin;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages away from the admin port. It has no passwords and listens on the loopback, where
 * the operator's browser can be made to send requests by any page: from another site (recognised by
 * {@code Sec-Fetch-Site} and {@code Origin}), or under a name of the page's own that resolves to
 * this machine (recognised by {@code Host}).
 */
public final class AdminGuard extends HttpFilter {
  @Serial private static final long serialVersionUID = 1L;

  private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String host = request.getHeader("Host");
    if (host != null && !isOwn(host)) {
      Problems.write(response, 403, "The admin port answers only to localhost, 127.0.0.1 and ::1.");
    } else if (isForeign(request.getHeader("Sec-Fetch-Site"), request.getHeader("Origin"), host)) {
      Problems.write(response, 403, "Requests of other web sites are refused.");
    } else {
      chain.doFilter(request, response);
    }
  }

  private static boolean isOwn(String host) {
    String name = host.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
    return OWN_NAMES.contains(name) || name.matches("127(\\.\\d{1,3}){3}");
  }

  private static boolean isForeign(
      @Nullable String site, @Nullable String origin, @Nullable String host) {
    if (site != null && !OWN_SITES.contains(site)) {
      return true;
    }
    if (origin == null) {
      return false;
    }
    try {
      return !String.valueOf(URI.create(origin).getAuthority()).equals(host);
    } catch (IllegalArgumentException e) {
      return true;
    }
  }
}
