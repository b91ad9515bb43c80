package io.hooktally.store.inbox;

import static java.util.Objects.requireNonNull;

import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The refused_delivery table: the newest samples of each source and outcome. Thread-safe. */
public final class RefusedDeliveries {
  /** Samples kept of each source and outcome. */
  static final int KEPT = 100;

  private final Jdbi jdbi;

  /** In the database of {@code jdbi}. */
  public RefusedDeliveries(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Adds samples; of each source and outcome the newest 100 stay. */
  public void add(Collection<Refused> refused) {
    jdbi.useTransaction(
        handle -> {
          refused.forEach(one -> insert(handle, one));
          handle.execute(
              """
              delete from refused_delivery where id in (
                  select id from (
                      select id, row_number() over
                          (partition by source, outcome order by id desc) as place
                      from refused_delivery) as placed
                  where place > ?)
              """,
              KEPT);
        });
  }

  private static void insert(Handle handle, Refused one) {
    handle
        .createUpdate(
            """
            insert into refused_delivery (at, source, outcome, headers, body_sha256, body_size)
            values (:at, :source, :outcome, cast(:headers as jsonb), decode(:hash, 'hex'), :size)
            """)
        .bind("at", one.at().atOffset(ZoneOffset.UTC))
        .bind("source", one.source())
        .bind("outcome", one.outcome())
        .bind("headers", Headers.write(one.headers()))
        .bind("hash", one.bodySha256())
        .bind("size", one.bodySize())
        .execute();
  }

  /** The newest of a source, newest first. */
  public List<Refused> list(String source, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    select at, outcome, cast(headers as text) as headers,
                           encode(body_sha256, 'hex') as hash, body_size
                    from refused_delivery
                    where source = :source
                    order by id desc
                    limit :limit
                    """)
                .bind("source", source)
                .bind("limit", limit)
                .map(
                    (row, context) ->
                        new Refused(
                            Sql.instant(row, "at"),
                            source,
                            requireNonNull(row.getString("outcome")),
                            Headers.read(requireNonNull(row.getString("headers"))),
                            row.getString("hash"),
                            row.getLong("body_size")))
                .list());
  }
}
