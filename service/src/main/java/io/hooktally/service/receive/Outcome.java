package io.hooktally.service.receive;

/**
 * What became of a delivery. Each delivery to a known source ends in exactly one of them, so that
 * delivered = stored + duplicate + conflict + refused + unavailable + aborted.
 */
public enum Outcome {
  /** Answered 202. */
  STORED("stored"),
  /** Answered 200. */
  DUPLICATE("duplicate"),
  /** Answered 200; the other body is kept as a conflict. */
  CONFLICT("conflict"),
  /** Answered 405. */
  REFUSED_METHOD("refused.method"),
  /** Answered 413. */
  REFUSED_SIZE("refused.size"),
  /** Answered 400 or 415: its content encoding is broken or none that is understood. */
  REFUSED_ENCODING("refused.encoding"),
  /** Answered 401. */
  REFUSED_SIGNATURE("refused.signature"),
  /** Answered 400. */
  REFUSED_EVENT_ID("refused.event-id"),
  /** Answered 503: the database, a full queue, no secret, or a stop. */
  UNAVAILABLE("unavailable"),
  /** The sender hung up, stalled or sent a body that does not end as announced. */
  ABORTED("aborted");

  private final String metric;

  Outcome(String metric) {
    this.metric = metric;
  }

  /** The last part of the metric's name. */
  String metric() {
    return metric;
  }
}
