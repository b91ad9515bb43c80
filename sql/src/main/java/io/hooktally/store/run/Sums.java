package io.hooktally.store.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.hooktally.store.Json;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * The sums of runs, on both sides. What takes a {@link Handle} writes, and belongs into {@link
 * Fenced#write}. Thread-safe.
 */
public final class Sums {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Sums(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Forgets what the run has summed: before it lists from the top again. */
  public void clear(Handle handle, long runId) {
    handle.createUpdate("delete from run_sum where run_id = :run").bind("run", runId).execute();
  }

  /**
   * Notes the sums of a listing that was read in one piece, from the top: whatever an earlier
   * listing of the same run has summed is replaced. Rows that this run has fixed before it was
   * resumed are not among them; they count as the suspects they were.
   */
  public void base(Handle handle, long runId, Collection<SumValue> values) {
    clear(handle, runId);
    addBase(handle, runId, values);
  }

  /**
   * Adds rows on which both sides agree. May be called for one part of the window after another.
   */
  public void addBase(Handle handle, long runId, Collection<SumValue> values) {
    if (values.isEmpty()) {
      return;
    }
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into run_sum as sum (run_id, field, by_field, grp, base)
            values (:run, :field, :by, :group, :value)
            on conflict (run_id, field, by_field, grp) do update set base = sum.base + excluded.base
            """);
    for (SumValue value : values) {
      batch
          .bind("run", runId)
          .bind("field", value.field())
          .bind("by", value.by())
          .bind("group", value.group())
          .bind("value", value.value())
          .add();
    }
    batch.execute();
  }

  /**
   * Computes the run's totals from its rows, once all of them are decided and fixed. What moved on
   * counts on neither side, and neither does what earlier runs left open: it stands in no listing
   * of this window, or as a row of its own.
   */
  public void total(Handle handle, long runId) {
    handle
        .createUpdate(
            """
            with suspect as (
                select ours_sums, theirs_sums, state = 'fixed' and not residual as fixed
                from disagreement
                where run_id = :run and not earlier and state <> 'moved_on'
            ), part as (
                select field, by_field, grp, 0 as theirs, value as before,
                       case when fixed then 0 else value end as after
                from suspect, jsonb_to_recordset(ours_sums)
                         as ours (field text, by_field text, grp text, value numeric)
                union all
                select field, by_field, grp, value, 0, case when fixed then value else 0 end
                from suspect, jsonb_to_recordset(theirs_sums)
                         as theirs (field text, by_field text, grp text, value numeric)
                union all
                select field, by_field, grp, base, base, base from run_sum where run_id = :run
            )
            insert into run_sum (run_id, field, by_field, grp, theirs, before, after)
            select :run, field, by_field, grp, sum(theirs), sum(before), sum(after)
            from part group by field, by_field, grp
            on conflict (run_id, field, by_field, grp) do update
              set theirs = excluded.theirs, before = excluded.before, after = excluded.after
            """)
        .bind("run", runId)
        .execute();
  }

  /** The run's sums by field and group, at most {@code limit}; those that disagree come first. */
  public List<RunSum> list(long runId, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select field, by_field, grp, theirs, before, after from (
                        select * from run_sum where run_id = :run
                        order by (theirs = after and theirs = before), field, by_field, grp
                        limit :limit
                    ) as shown
                    order by field, by_field, grp
                    """)
                .bind("run", runId)
                .bind("limit", limit)
                .map(
                    (row, context) ->
                        new RunSum(
                            row.getString("field"),
                            row.getString("by_field"),
                            row.getString("grp"),
                            row.getBigDecimal("theirs"),
                            row.getBigDecimal("before"),
                            row.getBigDecimal("after")))
                .list());
  }

  static String json(Collection<SumValue> values) {
    ArrayNode array = Json.mapper().createArrayNode();
    for (SumValue value : values) {
      array
          .addObject()
          .put("field", value.field())
          .put("by_field", value.by())
          .put("grp", value.group())
          .put("value", value.value());
    }
    return array.toString();
  }
}
