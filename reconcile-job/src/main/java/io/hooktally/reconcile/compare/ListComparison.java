package io.hooktally.reconcile.compare;

import io.hooktally.reconcile.InParallel;
import io.hooktally.reconcile.RunContext;
import io.hooktally.reconcile.source.CompareDepth;
import io.hooktally.reconcile.source.ListOrder;
import io.hooktally.reconcile.source.ListedRow;
import io.hooktally.store.replica.Entity;
import io.hooktally.store.replica.EntityText;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Suspect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The first half of a run: every listed row against the replica's row of its id, and every row that
 * the replica has in the window against the list. Both sides are walked down in the order of
 * modified times, span by span, so that memory does not grow with the window: a span ends between
 * two times, and holds all that either side has of its times.
 */
public final class ListComparison implements AutoCloseable {
  private record Span(
      List<ListedRow> listed, Instant from, Instant to, Future<List<EntityText>> first) {}

  private static final int KNOWN = 3;
  private static final int BATCH = 400;
  // A transaction for every batch that agrees would cost more than its comparison.
  private static final int WRITTEN_AT_ONCE = 4000;
  // Rows of one time cannot be cut: beyond these many they are looked up by id.
  private static final int LARGEST_SPAN = 5000;

  private final RunContext run;
  private final RowComparison comparison;
  private final boolean inOrder;
  private final InParallel threads;
  private final @Nullable AggregateComparison aggregates;
  private final List<String> known = new ArrayList<>();
  private List<ListedRow> waiting = new ArrayList<>();
  // Ids of the lowest time so far that have been compared by id already.
  private final Set<String> comparedById = new HashSet<>();
  private Instant above;
  // What the replica has of it is on its way while the span before is compared.
  private @Nullable Span begun;
  private long rows;
  private int unwritten;
  private long held;

  /** Of one run. Has threads of its own, so close it. */
  public ListComparison(RunContext run) {
    this.run = run;
    this.comparison = new RowComparison(run);
    this.inOrder = run.listRequest().order() == ListOrder.MODIFIED;
    this.above = run.openEnd() ? Instant.MAX : run.window().to();
    this.threads =
        new InParallel(
            "compare " + run.run().source() + "/" + run.type().type(),
            1 + run.source().api().concurrency());
    this.aggregates =
        run.type().compare().depth() == CompareDepth.AGGREGATE
            ? new AggregateComparison(run, threads)
            : null;
  }

  /**
   * Lists the source and notes the suspects.
   *
   * @return some ids that were listed, to try the single read on
   * @throws InterruptedException when this thread is interrupted
   */
  public List<String> compare() throws InterruptedException {
    PagesAhead.read(
        "list " + run.run().source() + "/" + run.type().type(),
        sink -> run.client().list(run.listRequest(), sink),
        this::take);
    if (inOrder) {
      begin(waiting, run.window().from());
      compareBegun();
    } else {
      compareWaiting();
    }
    write(List.of(), List.of());
    return List.copyOf(known);
  }

  @Override
  public void close() {
    threads.close();
  }

  /** How many rows of the window were listed. */
  public long rows() {
    return rows;
  }

  /** How many rows the replica has in the window. */
  public long held() {
    return held;
  }

  private void take(List<ListedRow> page) throws InterruptedException {
    if (!page.isEmpty()) {
      run.progress().page(page.get(page.size() - 1).sortedBy());
    }
    List<ListedRow> wanted =
        page.stream()
            .filter(row -> run.openEnd() || row.modified().isBefore(run.window().to()))
            .toList();
    if (known.isEmpty() && !wanted.isEmpty()) {
      comparison.learn(wanted);
    }
    wanted.stream().limit(KNOWN - known.size()).map(ListedRow::id).forEach(known::add);
    waiting.addAll(wanted);
    if (waiting.size() >= BATCH) {
      if (inOrder) {
        compareWhatIsWhole();
      } else {
        compareWaiting();
      }
    }
  }

  // In no order that the replica has: who was seen is kept in the database.
  private void compareWaiting() throws InterruptedException {
    List<String> ids = waiting.stream().map(ListedRow::id).toList();
    note(waiting.size(), compareById(waiting), ids);
    waiting = new ArrayList<>();
  }

  // Rows of the last time may go on with the next page.
  private void compareWhatIsWhole() throws InterruptedException {
    Instant last = waiting.get(waiting.size() - 1).modified();
    int whole = waiting.size();
    while (whole > 0 && !waiting.get(whole - 1).modified().isAfter(last)) {
      whole--;
    }
    if (whole > 0) {
      List<ListedRow> span = waiting.subList(0, whole);
      List<ListedRow> rest = new ArrayList<>(waiting.subList(whole, waiting.size()));
      begin(span, last.plusNanos(1));
      waiting = rest;
    } else if (waiting.size() >= LARGEST_SPAN) {
      compareBegun();
      List<Suspect> suspects = compareById(waiting);
      waiting.forEach(row -> comparedById.add(row.id()));
      note(waiting.size(), suspects, List.of());
      waiting = new ArrayList<>();
    }
  }

  /**
   * Asks for what the replica has from {@code from} on, up to where the span before began, and
   * compares the span before meanwhile.
   */
  private void begin(List<ListedRow> listed, Instant from) throws InterruptedException {
    Instant to = above;
    Span span = new Span(listed, from, to, threads.begin(() -> ours(from, to, null)));
    above = from;
    compareBegun();
    begun = span;
  }

  private List<EntityText> ours(Instant from, Instant to, @Nullable EntityText after) {
    return run.store()
        .replica()
        .texts(run.run().source(), run.run().entityType(), from, to, after, BATCH);
  }

  private void compareBegun() throws InterruptedException {
    Span span = begun;
    if (span == null) {
      return;
    }
    begun = null;
    Map<String, ListedRow> open = new LinkedHashMap<>();
    span.listed().forEach(row -> open.put(row.id(), row));
    List<EntityText> texts = threads.await(span.first());
    note(0, compare(texts, open), List.of());
    while (texts.size() == BATCH) {
      texts = ours(span.from(), span.to(), texts.get(texts.size() - 1));
      note(0, compare(texts, open), List.of());
    }
    note(span.listed().size(), compareById(open.values()), List.of());
    comparedById.clear();
  }

  /** Strikes what agrees off {@code open}; answers what raises a suspicion. */
  private List<Suspect> compare(List<EntityText> texts, Map<String, ListedRow> open)
      throws InterruptedException {
    List<Suspect> suspects = new ArrayList<>();
    List<ListedRow> agreeing = new ArrayList<>();
    for (EntityText ours : texts) {
      boolean inWindow =
          !ours.modified().isBefore(run.window().from())
              && ours.modified().isBefore(run.window().to());
      held += inWindow ? 1 : 0;
      ListedRow row = open.get(ours.entityId());
      if (row == null) {
        if (inWindow && !comparedById.contains(ours.entityId())) {
          suspects.add(new Suspect(ours.entityId(), Kind.EXTRA, null, ours.modified(), false));
        }
      } else if (row.modified().equals(ours.modified()) && comparison.agrees(row, ours)) {
        open.remove(row.id());
        agreeing.add(row);
      }
    }
    suspects.addAll(agreed(agreeing));
    return suspects;
  }

  private List<Suspect> compareById(Collection<ListedRow> listed) throws InterruptedException {
    List<Suspect> suspects = new ArrayList<>();
    List<ListedRow> all = List.copyOf(listed);
    for (int start = 0; start < all.size(); start += BATCH) {
      List<ListedRow> some = all.subList(start, Math.min(all.size(), start + BATCH));
      Map<String, Entity> ours =
          run.store()
              .replica()
              .find(
                  run.run().source(),
                  run.run().entityType(),
                  some.stream().map(ListedRow::id).toList());
      List<ListedRow> agreeing = new ArrayList<>();
      for (ListedRow row : some) {
        Suspect suspect = comparison.suspect(row, ours.get(row.id()));
        if (suspect == null) {
          agreeing.add(row);
        } else {
          suspects.add(suspect);
        }
      }
      suspects.addAll(agreed(agreeing));
    }
    return suspects;
  }

  // Sums up what agrees; at depth aggregate after a look at all of it.
  private List<Suspect> agreed(List<ListedRow> agreeing) throws InterruptedException {
    // What was fixed before the run was taken up again counts by its own row.
    Set<String> kept =
        run.run().resumed() == 0
            ? Set.of()
            : run.store()
                .disagreements()
                .kept(run.run().id(), agreeing.stream().map(ListedRow::id).toList());
    List<ListedRow> rows = agreeing.stream().filter(row -> !kept.contains(row.id())).toList();
    AggregateComparison whole = aggregates;
    if (whole != null) {
      return whole.compare(rows);
    }
    if (!run.sums().isEmpty()) {
      rows.forEach(row -> run.sums().add(row.body()));
    }
    return List.of();
  }

  private void note(int listed, List<Suspect> suspects, List<String> seen) {
    rows += listed;
    unwritten += listed;
    if (unwritten >= WRITTEN_AT_ONCE || !suspects.isEmpty() || !seen.isEmpty()) {
      write(suspects, seen);
    }
  }

  private void write(List<Suspect> suspects, List<String> seen) {
    int listed = unwritten;
    unwritten = 0;
    run.writer()
        .write(
            handle -> {
              run.store().runs().listed(handle, run.run().id(), listed, seen);
              run.store().disagreements().suspect(handle, run.run(), suspects);
              return null;
            });
  }
}
