package io.hooktally.service;

import java.net.URI;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;

/** Where a started server listens. */
final class Ports {
  private Ports() {}

  /** For the log. */
  static String of(Server server) {
    return Arrays.stream(server.getConnectors())
        .map(NetworkConnector.class::cast)
        .map(one -> one.getName() + " on " + one.getHost() + ":" + one.getLocalPort())
        .collect(Collectors.joining(", "));
  }

  /** The base URL of the port with that name. */
  static URI url(Server server, String name) {
    return Arrays.stream(server.getConnectors())
        .filter(connector -> name.equals(connector.getName()))
        .map(NetworkConnector.class::cast)
        .map(connector -> URI.create("http://127.0.0.1:" + connector.getLocalPort()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("there is no port named " + name));
  }
}
