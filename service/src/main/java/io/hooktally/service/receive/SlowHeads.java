package io.hooktally.service.receive;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Cuts off connections whose sender keeps writing and never finishes a request's head: each byte
 * starts the idle time-out anew, so that alone would let a head take for ever. A body that trickles
 * is bounded by the exchange's own deadline. Looks at what connections count, now and then; a
 * connection is closed after two looks between which bytes came and no request did.
 */
final class SlowHeads extends AbstractLifeCycle implements Connection.Listener {
  private static final int STRIKES = 2;

  private final AbstractConnector connector;
  private final Duration interval;
  private final Map<Connection, Seen> seen = new ConcurrentHashMap<>();

  private record Seen(long bytes, long requests, int strikes) {}

  /**
   * On one connector.
   *
   * @param interval from one look to the next; longer than any body may take
   */
  SlowHeads(AbstractConnector connector, Duration interval) {
    this.connector = connector;
    this.interval = interval;
  }

  @Override
  protected void doStart() {
    schedule();
  }

  @Override
  public void onOpened(Connection connection) {
    seen.put(connection, new Seen(0, 0, 0));
  }

  @Override
  public void onClosed(Connection connection) {
    seen.remove(connection);
  }

  private void schedule() {
    Scheduler.Task unused =
        connector
            .getScheduler()
            .schedule(
                () -> {
                  if (isRunning()) {
                    look();
                    schedule();
                  }
                },
                interval.toMillis(),
                TimeUnit.MILLISECONDS);
  }

  private void look() {
    seen.forEach(
        (connection, before) -> {
          long bytes = connection.getBytesIn();
          long requests = connection.getMessagesIn();
          boolean slow = bytes > before.bytes() && requests == before.requests();
          int strikes = slow ? before.strikes() + 1 : 0;
          if (strikes == STRIKES) {
            connection.getEndPoint().close();
          } else {
            seen.replace(connection, new Seen(bytes, requests, strikes));
          }
        });
  }
}
