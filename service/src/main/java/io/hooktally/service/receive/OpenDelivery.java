package io.hooktally.service.receive;

import com.codahale.metrics.Timer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A delivery whose sender waits. The commit, the deadline and a broken connection may all want to
 * answer: the first does, the others do nothing. Thread-safe.
 */
final class OpenDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(OpenDelivery.class);

  private final AsyncContext exchange;
  private final Tally tally;
  private final Timer.Context time;
  private final AtomicBoolean answered = new AtomicBoolean();

  OpenDelivery(AsyncContext exchange, Tally tally) {
    this.exchange = exchange;
    this.tally = tally;
    this.time = tally.answers().time();
  }

  /** Counts the outcome and answers, unless that has been done. Does not block. */
  boolean answer(Outcome outcome, Answer answer) {
    if (!answered.compareAndSet(false, true)) {
      return false;
    }
    tally.decide(outcome);
    time.stop();
    try {
      HttpServletResponse response = (HttpServletResponse) exchange.getResponse();
      if (!response.isCommitted()) {
        answer.write(response);
      }
      exchange.complete();
    } catch (IOException | RuntimeException e) {
      // The sender is gone. What was decided stands: it will ask again.
      LOG.debug("Could not answer", e);
    }
    return true;
  }

  boolean isAnswered() {
    return answered.get();
  }
}
