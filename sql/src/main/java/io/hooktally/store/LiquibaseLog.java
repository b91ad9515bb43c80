package io.hooktally.store;

import java.util.logging.Level;
import liquibase.logging.core.AbstractLogService;
import liquibase.logging.core.AbstractLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Liquibase has to say, at debug level of the logger {@code liquibase}: its failures reach us
 * as exceptions, and the rest is chatter.
 */
final class LiquibaseLog extends AbstractLogService {
  private static final Logger LOG = LoggerFactory.getLogger("liquibase");

  @Override
  public int getPriority() {
    return PRIORITY_NOT_APPLICABLE;
  }

  @Override
  @SuppressWarnings("rawtypes")
  public liquibase.logging.Logger getLog(Class type) {
    return new Line();
  }

  private static final class Line extends AbstractLogger {
    @Override
    public void log(Level level, @Nullable String message, @Nullable Throwable e) {
      LOG.debug(message, e);
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }
}
