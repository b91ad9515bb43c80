package io.hooktally.store.run;

import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * What runs did not look at, in sentences for people. What takes a {@link Handle} writes, and
 * belongs into {@link Fenced#write}. Thread-safe.
 */
public final class Coverage {
  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public Coverage(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Notes it for a run. */
  public void leftOut(Handle handle, long runId, Collection<String> sentences) {
    handle
        .createUpdate("update reconcile_run set not_covered = :sentences where id = :run")
        .bind("run", runId)
        .bindArray("sentences", String.class, sentences.toArray())
        .execute();
  }

  /** The sentences of a run; none where it has none, or there is no such run. */
  public List<String> leftOut(long runId) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select sentence from reconcile_run, unnest(not_covered)
                        with ordinality as each (sentence, place)
                    where id = :run order by place
                    """)
                .bind("run", runId)
                .mapTo(String.class)
                .list());
  }
}
