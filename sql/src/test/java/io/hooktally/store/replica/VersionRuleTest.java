package io.hooktally.store.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;
import io.hooktally.store.Lane;
import io.hooktally.store.replica.VersionRule.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule 5: newest wins by the source's clock, in any lane, at any interleaving. */
class VersionRuleTest {
  private static final EntityKey KEY = new EntityKey("revenexx", "order", "1");
  private static final JsonNode BODY = Json.parse("{}".getBytes(StandardCharsets.UTF_8));
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  // Ours: epoch, modified time, read number, tombstone or not. Theirs: a payload's modified time.
  @ParameterizedTest(name = "ours {0}/{1}/{2} deleted={3}, payload {4}: {5}")
  @CsvSource({
    "0, 11:00:00,           0, false, 11:00:01,           NEWER",
    "0, 11:00:00,           9, false, 11:00:01,           NEWER",
    "0, 11:00:00,           0, false, 10:59:59,           OLDER",
    "0, 11:00:00,           9, false, 10:59:59,           OLDER",
    // Equal times: a payload loses every tie and is read.
    "0, 11:00:00,           0, false, 11:00:00,           TIE",
    "0, 11:00:00,           9, false, 11:00:00,           TIE",
    // Full precision: what microseconds would round together stays apart.
    "0, 11:00:00.123456789, 0, false, 11:00:00.123456790, NEWER",
    "0, 11:00:00.123456789, 0, false, 11:00:00.123456788, OLDER",
    // No time on one side or on both.
    "0, 11:00:00,           3, false, ,                   TIE",
    "0, ,                   3, false, 11:00:00,           TIE",
    "0, ,                   3, false, ,                   TIE",
    // Over a tombstone a payload triggers a read, however new it says it is.
    "0, 11:00:00,           9, true,  11:59:59,           TIE",
    "0, ,                   9, true,  11:59:59,           TIE",
    // Above epoch 0 no payload is believed.
    "1, 11:00:00,           9, false, 11:59:59,           TIE",
    // Up to an hour ahead of the source's clock a payload is believed, beyond it is read.
    "0, 11:00:00,           9, false, 13:00:00,           NEWER",
    "0, 11:00:00,           9, false, 13:00:00.000000001, TIE",
  })
  void aPayloadAgainstTheReplica(
      int epoch,
      @Nullable String ours,
      long readNumber,
      boolean deleted,
      @Nullable String theirs,
      Verdict verdict) {
    Change change = new Change.Payload(KEY, time(theirs), BODY, Lane.LIVE, "e", NOW);

    assertThat(VersionRule.decide(row(epoch, ours, readNumber, deleted), change))
        .isEqualTo(verdict);
  }

  @ParameterizedTest(name = "payload {0} for an entity we do not have: {1}")
  @CsvSource({"11:00:00, NEWER", ", TIE", "13:00:00.000000001, TIE"})
  void aPayloadForAnEntityWeDoNotHave(@Nullable String theirs, Verdict verdict) {
    Change change = new Change.Payload(KEY, time(theirs), BODY, Lane.LIVE, "e", NOW);

    assertThat(VersionRule.decide(null, change)).isEqualTo(verdict);
  }

  // Theirs: a read's epoch, modified time and number.
  @ParameterizedTest(name = "ours {0}/{1}/{2} deleted={3}, read {4}/{5}/{6}: {7}")
  @CsvSource({
    "0, 11:00, 5, false, 0, 11:01, 9, NEWER",
    // A read that started earlier may still bring the newer time: time is asked first.
    "0, 11:00, 9, false, 0, 11:01, 5, NEWER",
    "0, 11:00, 5, false, 0, 10:59, 9, OLDER",
    // Equal times: the later-started read wins, and every read beats a payload.
    "0, 11:00, 5, false, 0, 11:00, 9, NEWER",
    "0, 11:00, 9, false, 0, 11:00, 5, OLDER",
    "0, 11:00, 9, false, 0, 11:00, 9, OLDER",
    "0, 11:00, 0, false, 0, 11:00, 1, NEWER",
    // No time: the read number alone.
    "0, ,      5, false, 0, ,      9, NEWER",
    "0, ,      9, false, 0, ,      5, OLDER",
    "0, 11:00, 5, false, 0, ,      9, NEWER",
    "0, ,      9, false, 0, 11:00, 5, OLDER",
    // Only a later-started read that finds the entity brings it back, with an older time too.
    "0, 11:00, 5, true,  0, 10:00, 9, NEWER",
    "0, 11:00, 9, true,  0, 11:59, 5, OLDER",
    "0, ,      5, true,  0, 10:00, 9, NEWER",
    // The epoch goes before everything.
    "0, 11:00, 9, false, 1, 10:00, 5, NEWER",
    "1, 11:00, 5, false, 0, 11:59, 9, OLDER",
    "1, 11:00, 5, false, 1, 11:01, 9, NEWER",
  })
  void aReadAgainstTheReplica(
      int epoch,
      @Nullable String ours,
      long readNumber,
      boolean deleted,
      int theirEpoch,
      @Nullable String theirs,
      long theirNumber,
      Verdict verdict) {
    ReadTicket ticket = new ReadTicket(KEY, theirNumber, theirEpoch, true, time(ours));
    Change change = new Change.Read(ticket, time(theirs), BODY, Lane.LIVE, "e");

    assertThat(VersionRule.decide(row(epoch, ours, readNumber, deleted), change))
        .isEqualTo(verdict);
  }

  // Known: what the row's modified time was when the read began.
  @ParameterizedTest(name = "ours {0}/{1} deleted={2}, gone {3} known {4}: {5}")
  @CsvSource({
    "11:00, 5, false, 9, 11:00, NEWER",
    "11:00, 9, false, 5, 11:00, OLDER",
    "11:00, 0, false, 9, 11:00, NEWER",
    // A payload came after the read was sent: no deletion from doubt.
    "11:30, 0, false, 9, 11:00, TIE",
    "11:30, 0, false, 9, none,  TIE",
    // Over a tombstone the number rises.
    "11:00, 5, true,  9, 11:00, NEWER",
    "11:00, 9, true,  5, 11:00, OLDER",
    ",      5, false, 9, ,      NEWER",
  })
  void aReadThatFindsNothing(
      @Nullable String ours,
      long readNumber,
      boolean deleted,
      long theirNumber,
      @Nullable String known,
      Verdict verdict) {
    boolean none = "none".equals(known);
    ReadTicket ticket = new ReadTicket(KEY, theirNumber, 0, !none, none ? null : time(known));

    assertThat(
            VersionRule.decide(
                row(0, ours, readNumber, deleted), new Change.Gone(ticket, Lane.LIVE, "e")))
        .isEqualTo(verdict);
  }

  @ParameterizedTest(name = "ours {0} seq {1} deleted={2}, event {3} seq {4} delete={5}: {6}")
  @CsvSource({
    "11:00, 5, false, 11:01, 4, false, NEWER",
    "11:00, 5, false, 10:59, 9, false, OLDER",
    "11:00, 5, false, 11:00, 9, false, NEWER",
    "11:00, 9, false, 11:00, 5, false, OLDER",
    ",      5, false, ,      9, false, NEWER",
    ",      9, false, ,      5, false, OLDER",
    "11:00, 5, false, ,      9, true,  NEWER",
    "11:00, 9, false, ,      5, true,  OLDER",
    "11:00, 5, true,  10:00, 9, false, NEWER",
    "11:00, 9, true,  11:59, 5, false, OLDER",
  })
  void withoutAnApiTheLedgersSequenceSettlesWhatTimeLeavesOpen(
      @Nullable String ours,
      long seq,
      boolean deleted,
      @Nullable String theirs,
      long theirSeq,
      boolean delete,
      Verdict verdict) {
    Entity current = row(0, ours, 0, deleted, seq);
    Change change =
        new Change.Unsettled(KEY, time(theirs), delete ? null : BODY, Lane.LIVE, "e", theirSeq);

    assertThat(VersionRule.decide(current, change)).isEqualTo(verdict);
  }

  @Test
  void anythingIsNewerThanNothing() {
    ReadTicket ticket = new ReadTicket(KEY, 1, 0, false, null);

    assertThat(VersionRule.decide(null, new Change.Read(ticket, null, BODY, Lane.LIVE, null)))
        .isEqualTo(Verdict.NEWER);
    assertThat(VersionRule.decide(null, new Change.Gone(ticket, Lane.LIVE, null)))
        .isEqualTo(Verdict.NEWER);
  }

  private static Entity row(int epoch, @Nullable String modified, long number, boolean deleted) {
    return row(epoch, modified, number, deleted, null);
  }

  private static Entity row(
      int epoch, @Nullable String modified, long number, boolean deleted, @Nullable Long seq) {
    Version version = new Version(epoch, time(modified), number);
    return new Entity(
        KEY, version, deleted, BODY, "", false, seq, seq != null, Lane.LIVE, "e", Instant.EPOCH);
  }

  private static @Nullable Instant time(@Nullable String time) {
    if (time == null) {
      return null;
    }
    return Instant.parse("2026-03-01T" + (time.length() == 5 ? time + ":00" : time) + "Z");
  }
}
