package io.hooktally.service;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import io.dropwizard.logging.common.BootstrapLogging;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/** The log before config.yml has said how to log: to stderr, since stdout is for results. */
final class StartLogging {
  private StartLogging() {}

  static void toStderr(Level level) {
    BootstrapLogging.bootstrap(level);
    if (LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      Iterator<Appender<ILoggingEvent>> appenders = root.iteratorForAppenders();
      while (appenders.hasNext()) {
        if (appenders.next() instanceof ConsoleAppender<ILoggingEvent> console) {
          console.stop();
          console.setTarget("System.err");
          console.start();
        }
      }
    }
  }
}
