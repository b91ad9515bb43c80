package io.hooktally.service.receive;

import io.hooktally.store.ContentEncoding;
import io.hooktally.store.inbox.Delivery;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/** One delivery while its body comes in, and the checks that need the body, in their order. */
final class Reception implements ReadListener {
  private final ReceivingSource source;
  private final HttpServletRequest request;
  private final ServletInputStream input;
  private final OpenDelivery open;
  private final Body body;
  private final GroupCommit groupCommit;
  private final int maxBodySize;

  Reception(
      ReceivingSource source,
      HttpServletRequest request,
      OpenDelivery open,
      Body body,
      GroupCommit groupCommit,
      int maxBodySize)
      throws IOException {
    this.source = source;
    this.request = request;
    this.input = request.getInputStream();
    this.open = open;
    this.body = body;
    this.groupCommit = groupCommit;
    this.maxBodySize = maxBodySize;
  }

  static Answer tooLarge(int maxBodySize) {
    return Answer.problem(413, "A body may have up to " + maxBodySize + " bytes.");
  }

  @Override
  public void onDataAvailable() throws IOException {
    if (open.isAnswered()) {
      return;
    }
    switch (body.read(input, request.getContentLengthLong())) {
      case PAUSED -> {}
      case TOO_LARGE -> {
        source.samples().refused(Outcome.REFUSED_SIZE, request, maxBodySize + 1L);
        open.answer(Outcome.REFUSED_SIZE, tooLarge(maxBodySize));
      }
      case NO_ROOM -> open.answer(Outcome.UNAVAILABLE, Answer.BUSY);
    }
  }

  @Override
  public void onAllDataRead() {
    if (open.isAnswered()) {
      return;
    }
    if (!source.canVerify()) {
      open.answer(Outcome.UNAVAILABLE, Answer.UNSIGNABLE);
      return;
    }
    byte[] bytes = body.bytes();
    source.tally().bytes().inc(bytes.length);
    if (!source.isSigned(request, bytes)) {
      refuse(bytes, Outcome.REFUSED_SIGNATURE, source.badSignature());
      return;
    }
    if (!isReadable(bytes)) {
      return;
    }
    byte[] sha256 = sha256(bytes);
    Optional<ReceivingSource.Named> event = source.event(request, bytes, sha256);
    if (event.isEmpty()) {
      refuse(bytes, Outcome.REFUSED_EVENT_ID, source.badEventId());
      return;
    }
    groupCommit.commit(
        new Delivery(
            source.name(),
            event.get().id(),
            event.get().topic(),
            source.keptHeaders().of(request),
            bytes,
            sha256),
        open);
  }

  // Only of what is signed: nobody else's body is looked into.
  private boolean isReadable(byte[] bytes) {
    String encoding = request.getHeader(ContentEncoding.HEADER);
    return encoding == null
        || switch (ContentEncoding.check(encoding, bytes, maxBodySize)) {
          case FINE -> true;
          case TOO_LARGE -> refuse(bytes, Outcome.REFUSED_SIZE, tooLarge(maxBodySize));
          case BROKEN -> refuse(bytes, Outcome.REFUSED_ENCODING, Answer.BROKEN_ENCODING);
          case UNKNOWN -> refuse(bytes, Outcome.REFUSED_ENCODING, Answer.UNKNOWN_ENCODING);
        };
  }

  private boolean refuse(byte[] bytes, Outcome outcome, Answer answer) {
    source.samples().refused(outcome, request, bytes);
    open.answer(outcome, answer);
    return false;
  }

  /** The sender hung up, stalled, or its body is not framed as HTTP wants it. */
  @Override
  public void onError(Throwable failure) {
    open.answer(Outcome.ABORTED, Answer.BROKEN);
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
