package io.hooktally.service;

import io.dropwizard.lifecycle.Managed;

/** Closes something when the service stops. */
record Closing(AutoCloseable closeable) implements Managed {
  @Override
  public void stop() throws Exception {
    closeable.close();
  }
}
