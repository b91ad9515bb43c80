package io.hooktally.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** What config.yml may not do to the ports: open the admin port to others, touch bodies. */
final class Listeners {
  private static final String LOOPBACK = "127.0.0.1";

  private Listeners() {}

  /** Fills in the loopback address and refuses what would be unsafe. */
  static void settle(ObjectNode root, ConfigProblems problems) {
    if (!(root.path("server") instanceof ObjectNode server)) {
      return;
    }
    String type = server.path("type").asText("default");
    if (!type.equals("default")) {
      problems.add(
          "server.type",
          ConfigProblems.shown("server.type", type),
          "default: one port for deliveries and one for operators",
          "Remove it.");
      server.remove("type");
    }
    bindToLoopback(server.path("applicationConnectors"));
    bindToLoopback(server.path("adminConnectors"));
    refuseForeignAdmin(server.path("adminConnectors"), problems);
    if (server.path("gzip").path("enabled").asBoolean(false)) {
      problems.add(
          "server.gzip.enabled",
          "true",
          "false: signatures cover the bytes as they were sent",
          "Remove it; the receiver decodes bodies itself.");
    }
    server.putObject("gzip").put("enabled", false);
  }

  private static void bindToLoopback(JsonNode connectors) {
    for (JsonNode connector : connectors) {
      if (connector instanceof ObjectNode settings
          && settings.path("bindHost").asText().isBlank()) {
        settings.put("bindHost", LOOPBACK);
      }
    }
  }

  private static void refuseForeignAdmin(JsonNode connectors, ConfigProblems problems) {
    for (int i = 0; i < connectors.size(); i++) {
      String host = connectors.path(i).path("bindHost").asText();
      if (!isLoopback(host)) {
        problems.add(
            "server.adminConnectors[" + i + "].bindHost",
            "'" + host + "', which others can reach",
            "an address of this machine only: 127.0.0.1, ::1 or localhost",
            "The admin port has no authentication: keep it on the loopback and reach it by ssh -L.");
      }
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
