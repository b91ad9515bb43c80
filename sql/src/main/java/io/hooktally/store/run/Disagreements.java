package io.hooktally.store.run;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * The suspects of runs. What takes a {@link Handle} writes, and belongs into {@link Fenced#write}.
 * Thread-safe.
 */
public final class Disagreements {
  // What a look at rows may bring into memory of their bodies.
  private static final long MOST_BYTES = 16L << 20;

  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Disagreements(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Adds suspects. One that the run has already is left as it is, unless it was taken for extra and
   * turns up further down the list, or was confirmed before a resumption and the source changed it
   * since: that starts anew.
   */
  public void suspect(Handle handle, Run run, Collection<Suspect> suspects) {
    if (suspects.isEmpty()) {
      return;
    }
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into disagreement (run_id, source, entity_type, entity_id, suspected,
                listed_modified, ours_modified, earlier)
            values (:run, :source, :type, :id, :suspected, :listed, :ours, :earlier)
            on conflict (run_id, entity_id) do update
              set state = 'suspect', suspected = excluded.suspected, kind = null, note = null,
                  listed_modified = excluded.listed_modified,
                  ours_modified = excluded.ours_modified, earlier = excluded.earlier
              where excluded.listed_modified is not null
                and (disagreement.state = 'suspect' and disagreement.listed_modified is null
                  or disagreement.state = 'confirmed'
                    and disagreement.read_modified is distinct from excluded.listed_modified)
            """);
    for (Suspect suspect : suspects) {
      batch
          .bind("run", run.id())
          .bind("source", run.source())
          .bind("type", run.entityType())
          .bind("id", suspect.entityId())
          .bind("suspected", suspect.suspected().text())
          .bind("listed", text(suspect.listedModified()))
          .bind("ours", text(suspect.oursModified()))
          .bind("earlier", suspect.earlier())
          .add();
    }
    batch.execute();
  }

  /** Adds what earlier runs left open, unless the run has met it already. */
  public void suspectEarlier(Handle handle, Run run) {
    handle
        .createUpdate(
            """
            insert into disagreement (run_id, source, entity_type, entity_id, suspected, earlier)
            select distinct on (entity_id) :run, source, entity_type, entity_id,
                   coalesce(kind, suspected), true
            from disagreement
            where source = :source and entity_type = :type and open and run_id <> :run
            order by entity_id, run_id desc
            on conflict do nothing
            """)
        .bind("run", run.id())
        .bind("source", run.source())
        .bind("type", run.entityType())
        .execute();
  }

  /**
   * The run's rows in one of the states, by id, some at a time: fewer where their bodies are large,
   * and at least one while there are any.
   */
  public List<Disagreement> list(
      long runId, Collection<SuspectState> states, String afterId, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    DisagreementRow.SELECT
                        + """
                        where run_id = :run and entity_id in (
                            select entity_id from (
                                select entity_id,
                                       sum(coalesce(octet_length(read_body), 0))
                                           over (order by entity_id) as bytes,
                                       row_number() over (order by entity_id) as place
                                from (select entity_id, read_body from disagreement
                                      where run_id = :run and state = any(:states)
                                        and entity_id > :after
                                      order by entity_id limit :limit) as next) as sized
                            where place = 1 or bytes <= :bytes)
                        order by entity_id
                        """)
                .bind("run", runId)
                .bind("bytes", MOST_BYTES)
                .bindArray(
                    "states", String.class, states.stream().map(SuspectState::text).toArray())
                .bind("after", afterId)
                .bind("limit", limit)
                .map((row, context) -> DisagreementRow.read(row))
                .list());
  }

  /** Writes down what confirmation made of a suspect. */
  public void decide(Handle handle, Disagreement suspect, Decided decided) {
    Verdict verdict = decided.verdict();
    Reading reading = verdict.reading();
    Loss loss = decided.loss();
    handle
        .createUpdate(
            """
            update disagreement
            set state = :state, kind = :kind, differences = cast(:differences as jsonb),
                note = :note, loaded = :loaded, read_modified = :modified, read_number = :number,
                read_epoch = :epoch, read_known = :known, known_modified = :knownModified,
                read_body = :body, unannounced = :unannounced, lost = :lost,
                lost_note = :lostNote, ours_sums = cast(:oursSums as jsonb),
                theirs_sums = cast(:theirsSums as jsonb)
            where run_id = :run and entity_id = :id
            """)
        .bind("run", suspect.runId())
        .bind("id", suspect.entityId())
        .bind("state", verdict.state().text())
        .bind("kind", verdict.kind() == null ? null : verdict.kind().text())
        .bind("differences", DisagreementRow.json(verdict.differences()))
        .bind("note", verdict.note())
        .bind("loaded", decided.loaded())
        .bind("unannounced", decided.unannounced())
        .bind("lost", loss == null ? null : loss.cause().text())
        .bind("lostNote", loss == null ? null : loss.note())
        .bind("oursSums", Sums.json(decided.ours()))
        .bind("theirsSums", Sums.json(decided.theirs()))
        .bind("modified", reading == null ? null : text(reading.modified()))
        .bind("number", reading == null ? null : reading.ticket().number())
        .bind("epoch", reading == null ? null : reading.ticket().epoch())
        .bind("known", reading == null ? null : reading.ticket().known())
        .bind("knownModified", reading == null ? null : text(reading.ticket().knownModified()))
        .bind("body", reading == null ? null : reading.bytes())
        .execute();
  }

  /**
   * Ends one of them. The read that confirmed it is kept for the look back; one that was never
   * confirmed is of the kind that it looked like.
   */
  public void end(Handle handle, Disagreement one, SuspectState state, @Nullable String note) {
    handle
        .createUpdate(
            """
            update disagreement
            set state = :state, kind = coalesce(kind, suspected), note = coalesce(:note, note),
                loaded = loaded and :state = 'fixed', unannounced = unannounced and :state <> 'failed'
            where run_id = :run and entity_id = :id
            """)
        .bind("run", one.runId())
        .bind("id", one.entityId())
        .bind("state", state.text())
        .bind("note", note)
        .execute();
  }

  /**
   * Puts all confirmed ones of these kinds into one state; none is held back that was loaded or
   * approved.
   */
  public int endAll(
      Handle handle, long runId, Collection<Kind> kinds, SuspectState state, String note) {
    return handle
        .createUpdate(
            """
            update disagreement
            set state = :state, note = :note, unannounced = unannounced and :state = 'left'
            where run_id = :run and state = 'confirmed' and kind = any(:kinds)
              and (:state = 'left' or (not loaded and approved_at is null))
            """)
        .bind("run", runId)
        .bindArray("kinds", String.class, kinds.stream().map(Kind::text).toArray())
        .bind("state", state.text())
        .bind("note", note)
        .execute();
  }

  /**
   * What the guards count, by kind: what is confirmed, and what was fixed before a resumption or in
   * an earlier slice. Loaded ones are left out, and what a person approved.
   */
  public Map<Kind, Long> confirmed(Handle handle, long runId) {
    Map<Kind, Long> byKind = new EnumMap<>(Kind.class);
    handle
        .createQuery(
            """
            select kind, count(*) as rows from disagreement
            where run_id = :run and state in ('confirmed', 'fixed', 'held_back', 'failed')
              and not loaded and approved_at is null and kind is not null
            group by kind
            """)
        .bind("run", runId)
        .map((row, context) -> Map.entry(Kind.of(row.getString("kind")), row.getLong("rows")))
        .forEach(entry -> byKind.put(entry.getKey(), entry.getValue()));
    return byKind;
  }

  /** Notes that a fixed entity still differs. */
  public void residual(Handle handle, Disagreement one) {
    handle
        .createUpdate(
            "update disagreement set residual = true where run_id = :run and entity_id = :id")
        .bind("run", one.runId())
        .bind("id", one.entityId())
        .execute();
  }

  /**
   * Prepares a run's rows for its resumption: what is confirmed or fixed stays, with its read; what
   * was put aside is decided anew; all else starts anew. Extra ones do too, unless fixed: they are
   * inferred from one uninterrupted pass only; and what no fix settles, since the source may have
   * caught up. What belongs to a slice that is done stays as it is.
   *
   * @param readsGone whether a later run completed: nothing can be fixed by these reads any more
   */
  public void resume(Handle handle, long runId, boolean readsGone) {
    if (readsGone) {
      handle
          .createUpdate(
              """
              update disagreement set sliced = true
              where run_id = :run and state = 'fixed'
              """)
          .bind("run", runId)
          .execute();
    }
    handle
        .createUpdate(
            """
            delete from disagreement
            where run_id = :run and state <> 'fixed' and not sliced
              and (:gone or state not in ('confirmed', 'held_back', 'left', 'failed') or read_number is null
                   or kind in ('extra', 'ahead')
                   or exists (select from reconcile_run where id = :run and mode = 'report'))
            """)
        .bind("run", runId)
        .bind("gone", readsGone)
        .execute();
    handle
        .createUpdate(
            """
            update disagreement set state = 'confirmed', note = null
            where run_id = :run and not sliced and state in ('held_back', 'left', 'failed')
            """)
        .bind("run", runId)
        .execute();
  }

  /** Which of the entities the run has a row of its own window of already. */
  public Set<String> kept(long runId, Collection<String> ids) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select entity_id from disagreement
                    where run_id = :run and entity_id = any(:ids) and not earlier
                    """)
                .bind("run", runId)
                .bindArray("ids", String.class, ids.toArray())
                .mapTo(String.class)
                .set());
  }

  /** The counts of a run, counted from its rows. */
  public RunCounts counts(long runId) {
    return jdbi.withHandle(handle -> counts(handle, runId));
  }

  /** The same inside the caller's transaction. */
  public RunCounts counts(Handle handle, long runId) {
    Map<Kind, Long> byKind = DisagreementRow.byKind(handle, runId);
    return handle
        .createQuery(DisagreementRow.COUNTS)
        .bind("run", runId)
        .map((row, context) -> DisagreementRow.counts(row, byKind))
        .one();
  }

  private static @Nullable String text(java.time.@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
