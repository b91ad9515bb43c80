package io.hooktally.service;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.hooktally.reconcile.source.ByteSize;
import io.hooktally.reconcile.source.DurationReader;
import io.hooktally.reconcile.source.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What deliveries may cost.
 *
 * @param maxBodySize a larger body is answered 413; default 1 MiB
 * @param queueBytes bodies held in memory until they are committed, all together; beyond it
 *     deliveries are answered 503; default 64 MiB
 * @param keepPayloads for how long raw payloads are kept, by whole months; absent: for ever
 */
public record ReceiveConfig(
    ByteSize maxBodySize,
    ByteSize queueBytes,
    @JsonDeserialize(using = DurationReader.class) @Nullable Duration keepPayloads) {
  // The source may deliver an event again for days, and a person looks into last week's.
  private static final Duration SHORTEST = Duration.ofDays(7);

  /** Fills in defaults. */
  public ReceiveConfig(
      @Nullable ByteSize maxBodySize,
      @Nullable ByteSize queueBytes,
      @Nullable Duration keepPayloads) {
    this.maxBodySize = Objects.requireNonNullElse(maxBodySize, new ByteSize(1L << 20));
    this.queueBytes = Objects.requireNonNullElse(queueBytes, new ByteSize(64L << 20));
    this.keepPayloads = keepPayloads;
  }

  List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    if (maxBodySize.bytes() < 1024 || maxBodySize.bytes() > 256L << 20) {
      problems.add(
          new Problem(
              "receive.maxBodySize",
              maxBodySize.toString(),
              "a size from 1KiB to 256MiB",
              "Choose what the largest delivery needs; 1MiB fits most sources."));
    }
    if (queueBytes.bytes() < maxBodySize.bytes()) {
      problems.add(
          new Problem(
              "receive.queueBytes",
              queueBytes.toString(),
              "at least receive.maxBodySize (" + maxBodySize + ")",
              "Raise it; 64MiB is the default."));
    }
    if (keepPayloads != null && keepPayloads.compareTo(SHORTEST) < 0) {
      problems.add(
          new Problem(
              "receive.keepPayloads",
              keepPayloads.toString(),
              "a duration of 7d or more",
              "Choose how far back raw payloads may be needed, such as 90d; leave it out to keep"
                  + " them for ever."));
    }
    return problems;
  }
}
