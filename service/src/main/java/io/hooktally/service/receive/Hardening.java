package io.hooktally.service.receive;

import io.dropwizard.lifecycle.ServerLifecycleListener;
import java.time.Duration;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;

/** Makes the application port one that faces the internet. */
record Hardening(Duration arrival) implements ServerLifecycleListener {
  /** Messages that a proxy before us may read in another way than we do are none. */
  static final HttpCompliance STRICT = HttpCompliance.RFC9110;

  @Override
  public void serverStarted(Server server) {
    server.setErrorHandler(new PlainErrorHandler());
    for (Connector connector : server.getConnectors()) {
      if ("application".equals(connector.getName())) {
        harden((AbstractConnector) connector);
      }
    }
  }

  private void harden(AbstractConnector connector) {
    // Odd spellings of a path get as far as WebhookPaths, where each is a plain 404.
    connector
        .getContainedBeans(HttpConfiguration.class)
        .forEach(http -> http.setUriCompliance(UriCompliance.UNSAFE));
    connector
        .getContainedBeans(HttpConnectionFactory.class)
        .forEach(http -> http.getHttpConfiguration().setHttpCompliance(STRICT));
    connector.addManaged(new SlowHeads(connector, arrival.multipliedBy(3).dividedBy(2)));
  }
}
