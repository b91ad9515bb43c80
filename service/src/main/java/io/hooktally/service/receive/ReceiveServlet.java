package io.hooktally.service.receive;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Takes in the deliveries that {@link WebhookPaths} let through. Asynchronous on both ways: an open
 * delivery holds no thread, however slowly it comes and however long its commit takes.
 */
final class ReceiveServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient GroupCommit groupCommit;
  private final transient ByteBudget budget;
  private final int maxBodySize;
  private final long arrivalMillis;

  ReceiveServlet(GroupCommit groupCommit, ByteBudget budget, ReceiveLimits limits) {
    this.groupCommit = groupCommit;
    this.budget = budget;
    this.maxBodySize = limits.maxBodySize();
    this.arrivalMillis = limits.arrival().toMillis();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ReceivingSource source = WebhookPaths.source(request);
    AsyncContext exchange = request.startAsync();
    // A body that trickles must not hold others' memory. The commit's own deadline lies within.
    exchange.setTimeout(arrivalMillis);
    OpenDelivery open = new OpenDelivery(exchange, source.tally());
    exchange.addListener(new WhenLate(() -> open.answer(Outcome.ABORTED, Answer.TOO_SLOW)));
    if (request.getContentLengthLong() > maxBodySize) {
      source.samples().refused(Outcome.REFUSED_SIZE, request, request.getContentLengthLong());
      open.answer(Outcome.REFUSED_SIZE, Reception.tooLarge(maxBodySize));
      return;
    }
    Body body = new Body(maxBodySize, budget, source.canVerify());
    exchange.addListener(new WhenOver(body::release));
    request
        .getInputStream()
        .setReadListener(new Reception(source, request, open, body, groupCommit, maxBodySize));
  }
}
