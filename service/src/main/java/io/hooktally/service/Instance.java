package io.hooktally.service;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** How this process calls itself among those that share a database. */
final class Instance {
  private Instance() {}

  /** Tells a person where to look; unique among processes that run. */
  static String name() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "localhost";
    }
    return host + "/" + ProcessHandle.current().pid();
  }
}
