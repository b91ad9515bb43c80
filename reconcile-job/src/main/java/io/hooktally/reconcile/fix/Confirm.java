package io.hooktally.reconcile.fix;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.InParallel;
import io.hooktally.reconcile.ReconcileException;
import io.hooktally.reconcile.RunContext;
import io.hooktally.reconcile.source.ReadResult;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.ReadTicket;
import io.hooktally.store.run.Decided;
import io.hooktally.store.run.Disagreement;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Reading;
import io.hooktally.store.run.SuspectState;
import io.hooktally.store.run.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every suspect again, on both sides: a single read of the source, then, once events that
 * may still be on their way have had their time, the replica. What is read is kept in the database,
 * so that memory does not grow with the number of suspects.
 */
public final class Confirm {
  /**
   * A suspect after its single read.
   *
   * @param unreadable why the source shows nothing of it; null where it does
   */
  private record Read(
      Disagreement suspect, @Nullable Reading reading, @Nullable String unreadable) {
    Reading read() {
      return Objects.requireNonNull(reading, "it could be read");
    }
  }

  private static final int BATCH = 200;
  // Read before the next look at how much has come.
  private static final int AT_ONCE = 20;
  private static final int BATCH_CHARACTERS = 16 << 20;
  private static final int FEW = 10;
  private static final Duration STEP = Duration.ofMillis(250);
  private static final Duration BEYOND_LAG = Duration.ofSeconds(60);

  private final RunContext run;
  private final ConfirmRule rule;
  private final RouteControl control;
  private final Account account;
  private final QuietTime quiet;
  private long unlisted;
  private long readable;
  private long unreadable;

  /**
   * Of one run whose listing is complete.
   *
   * @param known ids that were listed
   */
  public Confirm(RunContext run, List<String> known) {
    this.run = run;
    this.rule = new ConfirmRule(run.comparison(), run.window().to());
    this.control = new RouteControl(run, known, new SplittableRandom());
    this.account = new Account(run, new DeliveryTroubles(run.store().troubles()));
    this.quiet = new QuietTime(run.client().now(), run.source().settle());
  }

  /** Decides about all suspects of the run. */
  public void confirm() throws InterruptedException {
    String name = "confirm " + run.run().source() + "/" + run.type().type();
    try (InParallel threads = new InParallel(name, run.source().api().concurrency())) {
      while (true) {
        List<Disagreement> suspects =
            run.store()
                .disagreements()
                .list(run.run().id(), List.of(SuspectState.SUSPECT), "", BATCH);
        if (suspects.isEmpty()) {
          return;
        }
        List<Read> reads = read(suspects, threads);
        if (!reads.isEmpty()) {
          settle(reads);
          decide(reads);
        }
      }
    }
  }

  /** How many entities the list left out although single reads find them unchanged within it. */
  public long unlisted() {
    return unlisted;
  }

  private List<Read> read(List<Disagreement> suspects, InParallel threads)
      throws InterruptedException {
    List<Read> reads = new ArrayList<>();
    long characters = 0;
    for (int start = 0; start < suspects.size(); start += AT_ONCE) {
      if (characters > BATCH_CHARACTERS) {
        break;
      }
      List<Disagreement> some = suspects.subList(start, Math.min(suspects.size(), start + AT_ONCE));
      for (Read read : threads.map(some, this::read)) {
        if (read.unreadable() != null) {
          unreadable(read.suspect(), read.unreadable());
          continue;
        }
        String body = read.read().body();
        if (body == null) {
          control.check(read.suspect().entityId());
        }
        characters += body == null ? 0 : body.length();
        readable++;
        reads.add(read);
      }
    }
    return reads;
  }

  private Read read(Disagreement suspect) {
    String id = suspect.entityId();
    ReadTicket ticket = run.store().replica().beginRead(run.key(id));
    ReadResult result = run.client().tryRead(run.type().type(), id);
    if (result instanceof ReadResult.Unreadable unreadable) {
      return new Read(suspect, null, unreadable.why());
    }
    Reading reading =
        result instanceof ReadResult.Found found
            ? new Reading(ticket, found.modified(), ReadBodies.write(found.body()))
            : new Reading(ticket, null, null);
    return new Read(suspect, reading, null);
  }

  // One entity that the source cannot show must not keep all others from being looked at. Where
  // it shows hardly any, it is the source, or how it is asked.
  private void unreadable(Disagreement suspect, String why) {
    unreadable++;
    if (unreadable > FEW && unreadable > readable) {
      throw new ReconcileException(
          "of "
              + (unreadable + readable)
              + " single reads of "
              + run.type().type()
              + " "
              + unreadable
              + " failed, the last one: "
              + why);
    }
    run.writer()
        .write(
            handle -> {
              run.store()
                  .disagreements()
                  .end(handle, suspect, SuspectState.FAILED, "could not be read: " + why);
              return null;
            });
  }

  // Events of what was listed may still be under way, or received and not handled yet.
  private void settle(List<Read> reads) throws InterruptedException {
    Instant now = run.client().now();
    Duration settle = run.source().settle();
    Duration wait = Duration.ZERO;
    for (Read read : reads) {
      Instant until = quiet.of(read.suspect(), read.read()).orElse(now);
      Duration left = Duration.between(now, until);
      wait = left.compareTo(wait) > 0 ? left : wait;
    }
    if (!wait.isZero()) {
      run.pause().pause(wait.compareTo(settle) > 0 ? settle : wait);
    }
    Instant upTo = run.store().pending().databaseNow();
    List<String> ids = reads.stream().map(read -> read.suspect().entityId()).toList();
    Duration waited = Duration.ZERO;
    Duration longest = run.source().lag().plus(BEYOND_LAG);
    while (waited.compareTo(longest) < 0
        && run.store().pending().any(run.run().source(), run.run().entityType(), ids, upTo)) {
      run.pause().pause(STEP);
      waited = waited.plus(STEP);
    }
  }

  private void decide(List<Read> reads) {
    Map<String, Entity> ours =
        run.store()
            .replica()
            .find(
                run.run().source(),
                run.run().entityType(),
                reads.stream().map(read -> read.suspect().entityId()).toList());
    List<Account.Looked> looked = new ArrayList<>();
    for (Read read : reads) {
      looked.add(look(read, ours.get(read.suspect().entityId())));
    }
    List<Decided> decided = account.of(looked);
    run.writer()
        .write(
            handle -> {
              for (int i = 0; i < reads.size(); i++) {
                run.store().disagreements().decide(handle, reads.get(i).suspect(), decided.get(i));
              }
              return null;
            });
  }

  private Account.Looked look(Read read, @Nullable Entity ours) {
    Reading reading = read.read();
    JsonNode body = reading.body() == null ? null : ReadBodies.parse(reading.body());
    Verdict verdict = rule.decide(read.suspect(), reading, body, ours);
    if (rule.shouldHaveBeenListed(read.suspect(), reading, run.window().from())) {
      unlisted++;
    }
    if (verdict.kind() == Kind.AHEAD && ours != null) {
      // Ours may have become newer since the read: only a read begun after that can tell.
      verdict = ahead(verdict, ours);
    }
    return new Account.Looked(read.suspect(), reading, body, ours, verdict);
  }

  private Verdict ahead(Verdict verdict, Entity ours) {
    Instant held = ours.modified();
    return run.client().read(run.type().type(), ours.key().entityId())
                instanceof ReadResult.Found again
            && again.modified() != null
            && held != null
            && held.isAfter(again.modified())
        ? verdict
        : Verdict.movedOn("changed at the source since this read");
  }
}
