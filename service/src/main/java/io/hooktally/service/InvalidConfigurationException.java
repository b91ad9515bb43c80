package io.hooktally.service;

import io.dropwizard.configuration.ConfigurationException;
import java.io.Serial;
import java.util.Collection;

/** A configuration that cannot work. The message lists every problem found and is for the user. */
public final class InvalidConfigurationException extends ConfigurationException {
  @Serial private static final long serialVersionUID = 1L;

  InvalidConfigurationException(String path, Collection<String> problems) {
    super(path, problems);
  }
}
