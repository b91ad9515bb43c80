package io.hooktally.store.inbox;

import io.hooktally.store.Failure;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a partition of event_payload ready for every month to come, by the database's clock. */
public final class PayloadPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(PayloadPartitions.class);

  private static final int MONTHS_AHEAD = 3;

  private final Jdbi jdbi;

  /** The partitions of a database. */
  public PayloadPartitions(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Makes the partitions of this month (UTC) and the three after it that are not there. Any number
   * of instances may do so at once. Never throws and never stands in the way of a delivery for more
   * than some seconds: what cannot be made now stays in the default partition and is made by a
   * later call.
   *
   * @return the months whose partition was made
   */
  public List<YearMonth> makeAhead() {
    List<YearMonth> made = new ArrayList<>();
    try {
      YearMonth current = jdbi.withHandle(PayloadPartitions::currentMonth);
      for (int ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
        YearMonth month = current.plusMonths(ahead);
        if (jdbi.inTransaction(handle -> make(handle, month))) {
          made.add(month);
        }
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "Payload partitions not made ahead ({}). Payloads go to the default partition until a"
              + " later attempt succeeds.",
          Failure.describe(e));
    }
    if (!made.isEmpty()) {
      LOG.info("Payload partitions made: {}", made);
    }
    return made;
  }

  private static YearMonth currentMonth(Handle handle) {
    return YearMonth.from(
        handle
            .createQuery("select clock_timestamp()")
            .mapTo(OffsetDateTime.class)
            .one()
            .withOffsetSameInstant(ZoneOffset.UTC));
  }

  // Attached, not created as a partition: that would lock the whole table against inserts, and
  // behind any long reader.
  private static boolean make(Handle handle, YearMonth month) {
    String name = String.format(Locale.ROOT, "event_payload_%tY_%<tm", month);
    if (exists(handle, name)) {
      return false;
    }
    handle.execute("set local lock_timeout = '2s'");
    handle.execute("set local statement_timeout = '10s'");
    handle.execute("select pg_advisory_xact_lock(hashtext('hooktally.event_payload'))");
    if (exists(handle, name)) {
      return false;
    }
    String from = "timestamptz '" + month.atDay(1) + " 00:00:00+00'";
    String to = "timestamptz '" + month.plusMonths(1).atDay(1) + " 00:00:00+00'";
    handle.execute("create table " + name + " (like event_payload including all)");
    handle.execute("lock table event_payload_default in access exclusive mode");
    handle.execute(
        """
        with moved as (
          delete from event_payload_default
          where received_at >= %s and received_at < %s
          returning *
        )
        insert into %s select * from moved
        """
            .formatted(from, to, name));
    handle.execute(
        "alter table event_payload attach partition %s for values from (%s) to (%s)"
            .formatted(name, from, to));
    return true;
  }

  private static boolean exists(Handle handle, String name) {
    return handle
        .createQuery("select to_regclass(:name) is not null")
        .bind("name", name)
        .mapTo(Boolean.class)
        .one();
  }
}
